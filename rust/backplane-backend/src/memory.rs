//! Tensor memory of a backend's own.
use crate::{size, sys, Error, Result, Start, TensorInfo};
use std::alloc::Layout;
use std::ffi::c_void;
use std::marker::PhantomData;

/// A kind of tensor memory.
pub trait Kind: Send + Sync + 'static {
    /// A tensor in this memory.
    type Handle: Handle;
    /// Bytes and alignment of a tensor. [any thread]
    fn requirements(&self, info: TensorInfo<'_>) -> Result<Requirements>;
    /// Makes a tensor that is not bound yet. [any thread]
    fn handle(&self, info: TensorInfo<'_>) -> Result<Self::Handle>;
    /// Allocates a block for the tensors of one state; from the heap, where it is not written
    /// otherwise. [any thread]
    fn allocate(&self, wanted: Requirements) -> Result<Block> {
        Block::allocate(wanted)
    }
    /// Frees what [`Kind::allocate`] gave. [any thread]
    fn free(&self, block: Block) {
        block.free();
    }
}

/// A tensor in memory of a kind. Several runs may read it at once.
pub trait Handle: Send + Sync + 'static {
    /// Puts the tensor at `offset` of a block. On failure it lies where it lay. [one at a time]
    fn bind(&mut self, block: Memory<'_>, offset: u64) -> Result<()>;
    /// Lies in this memory until another import or [`Handle::end_import`]. [one at a time]
    fn import(&mut self, _memory: Memory<'_>) -> Result<()> {
        Err(Error::unsupported("memory is not imported"))
    }
    /// Returns to the block. [one at a time]
    fn end_import(&mut self) -> Result<()> {
        Err(Error::invalid("nothing is imported"))
    }
    /// Where the tensor lies. [one at a time]
    fn view(&self) -> Result<&View>;
}

/// The kind of a backend without one.
pub enum NoKind {}

impl Kind for NoKind {
    type Handle = NoKind;
    fn requirements(&self, _info: TensorInfo<'_>) -> Result<Requirements> {
        match *self {}
    }
    fn handle(&self, _info: TensorInfo<'_>) -> Result<NoKind> {
        match *self {}
    }
}

impl Handle for NoKind {
    fn bind(&mut self, _block: Memory<'_>, _offset: u64) -> Result<()> {
        match *self {}
    }
    fn view(&self) -> Result<&View> {
        match *self {}
    }
}

/// A kind as the host knows it. It lies in the instance, the context or the model.
pub struct OwnKind<K: Kind> {
    pub(crate) host: *const sys::bp_host,
    pub(crate) kind: K,
}

// The host's table is only read, and stays as long as the instance.
unsafe impl<K: Kind> Send for OwnKind<K> {}
unsafe impl<K: Kind> Sync for OwnKind<K> {}

impl<K: Kind> OwnKind<K> {
    /// A kind of the backend that is being started.
    pub fn new(start: &Start<'_>, kind: K) -> Self {
        OwnKind { host: start.0.host, kind }
    }
    /// A kind of a context or a model.
    pub fn new_in<B: crate::Backend>(scope: &crate::Scope<'_, B>, kind: K) -> Self {
        OwnKind { host: scope.raw().host, kind }
    }
    /// The kind itself.
    pub fn get(&self) -> &K {
        &self.kind
    }
    pub(crate) fn as_raw(&self) -> *mut sys::bp_kind {
        self as *const Self as *mut sys::bp_kind
    }
}

/// # Safety
/// `kind` is null, or what `OwnKind::as_raw` of a kind of `B` gave, which is still there.
pub(crate) unsafe fn kind_of<'a, B: crate::Backend>(
    kind: *mut sys::bp_kind,
) -> Option<&'a B::Kind> {
    unsafe { (kind as *const OwnKind<B::Kind>).as_ref() }.map(OwnKind::get)
}

/// Bytes that a tensor asks for, or that are allocated.
#[derive(Clone, Copy, Debug)]
pub struct Requirements {
    /// Bytes.
    pub num_bytes: u64,
    /// A power of two.
    pub alignment: u64,
}

/// A block of memory of the CPU.
pub struct Block {
    data: *mut u8,
    layout: Layout,
}

// The memory is nobody else's.
unsafe impl Send for Block {}

impl Block {
    /// Allocates zeros from the heap.
    pub fn allocate(wanted: Requirements) -> Result<Self> {
        let refusal = || Error::out_of_memory("no memory for a block of tensors");
        let layout =
            Layout::from_size_align(wanted.num_bytes.max(1) as usize, wanted.alignment as usize)
                .map_err(|_| refusal())?;
        let data = unsafe { std::alloc::alloc_zeroed(layout) };
        if data.is_null() {
            Err(refusal())
        } else {
            Ok(Block { data, layout })
        }
    }
    /// Returns it to the heap.
    pub fn free(self) {
        unsafe { std::alloc::dealloc(self.data, self.layout) };
    }
    pub(crate) fn fill(&self, view: &mut sys::bp_view) {
        view.data = self.data as *mut c_void;
        view.num_bytes = self.layout.size() as u64;
        view.access = sys::BP_ACCESS_READ_WRITE;
        view.source = sys::BP_MEMORY_CPU;
        view.token = self.layout.align() as u64; // which comes back, and the alignment does not
    }
    /// # Safety
    /// The host gives back what `fill` gave it, once.
    pub(crate) unsafe fn from_view(view: &sys::bp_view) -> Self {
        let (bytes, alignment) = (view.num_bytes as usize, view.token as usize);
        let layout = unsafe { Layout::from_size_align_unchecked(bytes, alignment) };
        Block { data: view.data as *mut u8, layout }
    }
}

/// Memory in which a tensor is to lie, borrowed for the call. It is the tensor's until it is bound
/// anew or dropped.
#[derive(Clone, Copy)]
pub struct Memory<'a>(pub(crate) &'a sys::bp_view);

impl<'a> Memory<'a> {
    /// The struct of `backend.h`.
    pub fn raw(self) -> &'a sys::bp_view {
        self.0
    }
    /// Strides in bytes of imported memory; `None`: it is dense.
    pub fn strides(self) -> Option<&'a [i64]> {
        let strides = self.0.strides;
        (!strides.is_null()).then(|| unsafe { crate::slice(strides, self.0.rank) })
    }
}

/// Where a tensor lies in memory of the CPU, and how.
#[derive(Clone)]
pub struct View {
    raw: sys::bp_view,
    dims: Vec<i64>,
    strides: Vec<i64>,
    element_bytes: i64,
    owner: PhantomData<*mut u8>,
}

// It is an address; who follows it is a run, which the host orders.
unsafe impl Send for View {}
unsafe impl Sync for View {}

impl View {
    /// A tensor that lies nowhere yet, with strides in bytes.
    ///
    /// # Panics
    /// There is not one stride for each extent, or one that is not a positive multiple of an
    /// element.
    pub fn new(info: TensorInfo<'_>, element_bytes: u64, strides: Vec<i64>) -> Self {
        let dims = info.dims().to_vec();
        let element_bytes = element_bytes as i64;
        assert_eq!(dims.len(), strides.len(), "each extent has a stride");
        let is_right = |&stride: &i64| stride > 0 && stride % element_bytes == 0;
        assert!(strides.iter().all(is_right), "a stride is a multiple of an element");
        let mut raw: sys::bp_view = unsafe { crate::zeroed() };
        raw.size_bytes = size::<sys::bp_view>();
        raw.data_type = info.data_type();
        raw.rank = dims.len() as u32;
        raw.access = sys::BP_ACCESS_READ_WRITE;
        raw.source = sys::BP_MEMORY_CPU;
        let mut view = View { raw, dims, strides, element_bytes, owner: PhantomData };
        view.raw.num_bytes = view.count_bytes(&view.strides);
        view.raw.alignment = element_bytes as u64;
        view
    }
    /// Bytes from the first element to the end of the last.
    pub fn num_bytes(&self) -> u64 {
        self.raw.num_bytes
    }
    /// Puts the tensor at `offset` of memory of the CPU, with its own strides.
    /// [`crate::Status::InvalidArgument`]: it does not fit, or is not aligned to `alignment`, or
    /// imported memory has other strides. [`crate::Status::Unsupported`]: it is not of the CPU. It
    /// then lies where it lay.
    pub fn place(&mut self, memory: Memory<'_>, offset: u64, alignment: u64) -> Result<()> {
        let memory = memory.raw();
        if memory.source != sys::BP_MEMORY_CPU {
            return Err(Error::unsupported("tensors lie in memory of the CPU alone"));
        }
        let is_within =
            offset <= memory.num_bytes && self.raw.num_bytes <= memory.num_bytes - offset;
        if memory.data.is_null() || !is_within {
            return Err(Error::invalid("the tensor does not fit the memory"));
        }
        if memory.rank != 0 && !self.has_strides(memory) {
            return Err(Error::invalid("the memory has other strides than the tensor"));
        }
        let place = memory.data.wrapping_byte_add(offset as usize);
        if place as u64 % alignment.max(1) != 0 {
            return Err(Error::invalid(format!("the place is not aligned to {alignment} bytes")));
        }
        self.raw.data = place;
        self.raw.access = memory.access;
        self.raw.alignment = alignment;
        Ok(())
    }
    /// Whether imported memory has the strides of this tensor; those along axes of one element say
    /// nothing.
    fn has_strides(&self, memory: &sys::bp_view) -> bool {
        if self.raw.num_bytes == 0 {
            return true;
        }
        let strides = Memory(memory).strides();
        let mut dense = self.element_bytes;
        (0..self.dims.len()).rev().all(|axis| {
            let stride = strides.map_or(dense, |strides| strides[axis]);
            dense *= self.dims[axis];
            self.dims[axis] == 1 || stride == self.strides[axis]
        })
    }
    fn count_bytes(&self, strides: &[i64]) -> u64 {
        if self.dims.contains(&0) {
            return 0;
        }
        let last: i64 =
            self.dims.iter().zip(strides).map(|(extent, stride)| (extent - 1) * stride).sum();
        (last + self.element_bytes) as u64
    }
    /// Writes what the host has room for.
    ///
    /// # Safety
    /// `to` is a view of the host's that states its size. It is good as long as this one.
    pub(crate) unsafe fn write(&self, to: *mut sys::bp_view, access: u32) -> Result<()> {
        if self.raw.data.is_null() {
            return Err(Error::invalid("the tensor is not bound"));
        }
        let mut raw = self.raw;
        raw.dims = self.dims.as_ptr();
        raw.strides = self.strides.as_ptr();
        raw.access &= access;
        unsafe {
            raw.size_bytes = (*to).size_bytes;
            let bytes = (raw.size_bytes as usize).min(std::mem::size_of::<sys::bp_view>());
            std::ptr::copy_nonoverlapping(&raw as *const _ as *const u8, to as *mut u8, bytes);
        }
        Ok(())
    }
}
