//! Values of options, capabilities and attributes.
use crate::sys;
use std::ffi::CStr;

/// One value or a list, borrowed for `'a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text; what is not UTF-8 comes as bytes.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A list of whole numbers.
    Ints(&'a [i64]),
    /// A list of numbers with a fraction.
    Floats(&'a [f64]),
    /// A list of true and false, as 1 and 0.
    Bools(&'a [i64]),
    /// A list of texts or bytes, as the host has it.
    Texts(Texts<'a>),
    /// A tensor, or of a type that is not known here.
    Other,
}

/// A list of texts or bytes, borrowed for `'a`.
#[derive(Clone, Copy)]
pub struct Texts<'a>(&'a [sys::bp_text]);

impl<'a> Texts<'a> {
    /// The bytes of each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        self.0.iter().map(|text| unsafe { read_bytes(text) })
    }
}

impl PartialEq for Texts<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.iter().map(String::from_utf8_lossy)).finish()
    }
}

/// # Safety
/// The text stays as it is for `'a`.
unsafe fn read_bytes<'a>(text: &sys::bp_text) -> &'a [u8] {
    unsafe { crate::slice(text.data as *const u8, text.length as u32) }
}

pub(crate) fn store_text(text: &str) -> sys::bp_text {
    sys::bp_text { data: text.as_ptr() as *const _, length: text.len() as u64 }
}

/// A value with its name, borrowed for `'a`.
pub type Named<'a> = (&'a str, Value<'a>);

impl<'a> Value<'a> {
    /// # Safety
    /// The value stays as it is for `'a`.
    pub(crate) unsafe fn read(value: &sys::bp_value) -> Value<'a> {
        let count = value.count as u32;
        let (ints, floats) = (value.data as *const i64, value.data as *const f64);
        unsafe {
            match (value.r#type, value.is_list) {
                (sys::BP_VALUE_BOOL, 0) => Value::Bool(*ints != 0),
                (sys::BP_VALUE_INT, 0) => Value::Int(*ints),
                (sys::BP_VALUE_FLOAT, 0) => Value::Float(*floats),
                (sys::BP_VALUE_INT, _) => Value::Ints(crate::slice(ints, count)),
                (sys::BP_VALUE_FLOAT, _) => Value::Floats(crate::slice(floats, count)),
                (sys::BP_VALUE_BOOL, _) => Value::Bools(crate::slice(ints, count)),
                (sys::BP_VALUE_TEXT | sys::BP_VALUE_BYTES, 1..) => {
                    Value::Texts(Texts(crate::slice(value.data as *const sys::bp_text, count)))
                }
                (sys::BP_VALUE_TEXT | sys::BP_VALUE_BYTES, 0) => {
                    let bytes = read_bytes(&*(value.data as *const sys::bp_text));
                    match std::str::from_utf8(bytes) {
                        Ok(text) if value.r#type == sys::BP_VALUE_TEXT => Value::Text(text),
                        _ => Value::Bytes(bytes),
                    }
                }
                _ => Value::Other,
            }
        }
    }
    /// # Safety
    /// The values stay as they are for `'a`.
    pub(crate) unsafe fn read_all(
        values: *const sys::bp_named_value, count: u32,
    ) -> impl Iterator<Item = Named<'a>> {
        let values: &'a [sys::bp_named_value] = unsafe { crate::slice(values, count) };
        values.iter().map(|v| unsafe { (crate::text(v.name), Value::read(&v.value)) })
    }
}

/// The host's form of a value, and what it points to. It is pinned by the box.
pub(crate) struct Stored {
    value: sys::bp_value,
    number: [u64; 1],
    text: sys::bp_text,
}

impl Stored {
    /// Lists and texts are borrowed: what is made lasts no longer than the value.
    pub(crate) fn new(value: &Value<'_>) -> Box<Self> {
        let (kind, is_list, count, bits, text) = match *value {
            Value::Bool(value) => (sys::BP_VALUE_BOOL, 0, 1, value as u64, None),
            Value::Int(value) => (sys::BP_VALUE_INT, 0, 1, value as u64, None),
            Value::Float(value) => (sys::BP_VALUE_FLOAT, 0, 1, value.to_bits(), None),
            Value::Text(text) => (sys::BP_VALUE_TEXT, 0, 1, 0, Some(text.as_bytes())),
            Value::Bytes(bytes) => (sys::BP_VALUE_BYTES, 0, 1, 0, Some(bytes)),
            Value::Ints(list) => (sys::BP_VALUE_INT, 1, list.len(), list.as_ptr() as u64, None),
            Value::Floats(list) => (sys::BP_VALUE_FLOAT, 1, list.len(), list.as_ptr() as u64, None),
            Value::Bools(list) => (sys::BP_VALUE_BOOL, 1, list.len(), list.as_ptr() as u64, None),
            Value::Texts(list) => {
                (sys::BP_VALUE_TEXT, 1, list.0.len(), list.0.as_ptr() as u64, None)
            }
            Value::Other => (0, 0, 0, 0, None), // refused by the host
        };
        let bytes = text.unwrap_or(&[]);
        let mut stored = Box::new(Stored {
            value: sys::bp_value {
                r#type: kind,
                is_list,
                count: count as u64,
                data: bits as *const _,
            },
            number: [bits],
            text: sys::bp_text { data: bytes.as_ptr() as *const _, length: bytes.len() as u64 },
        });
        if text.is_some() {
            stored.value.data = &stored.text as *const sys::bp_text as *const _;
        } else if is_list == 0 {
            stored.value.data = stored.number.as_ptr() as *const _;
        }
        stored
    }
    pub(crate) fn get(&self) -> &sys::bp_value {
        &self.value
    }
    pub(crate) fn named(&self, name: &CStr) -> sys::bp_named_value {
        sys::bp_named_value { name: name.as_ptr(), value: self.value }
    }
}
