//! Tensor memory of the backend's own: each row along the innermost axis begins at a multiple of 64
//! bytes. The host copies between it and other memory.
use backplane_backend::{Error, Handle, Kind, Memory, Requirements, Result, TensorInfo, View};

const ALIGNMENT: u64 = 64;

pub struct Rows;

impl Kind for Rows {
    type Handle = Tensor;
    fn requirements(&self, info: TensorInfo<'_>) -> Result<Requirements> {
        let num_bytes = self.handle(info)?.view.num_bytes();
        Ok(Requirements { num_bytes, alignment: ALIGNMENT })
    }
    fn handle(&self, info: TensorInfo<'_>) -> Result<Tensor> {
        let element =
            info.element_bytes().ok_or(Error::unsupported("the data type is not known"))?;
        let mut stride = element as i64;
        let mut strides = vec![0; info.dims().len()];
        for (axis, extent) in info.dims().iter().enumerate().rev() {
            strides[axis] = stride;
            stride *= extent.max(&1);
            if axis + 1 == strides.len() {
                stride = (stride as u64).next_multiple_of(ALIGNMENT) as i64;
            }
        }
        Ok(Tensor { view: View::new(info, element, strides), bound: None })
    }
}

pub struct Tensor {
    view: View,
    bound: Option<View>, // where it returns when what is imported ends
}

impl Handle for Tensor {
    fn bind(&mut self, block: Memory<'_>, offset: u64) -> Result<()> {
        self.bound.as_mut().unwrap_or(&mut self.view).place(block, offset, ALIGNMENT)
    }
    fn import(&mut self, memory: Memory<'_>) -> Result<()> {
        let mut imported = self.view.clone();
        imported.place(memory, 0, ALIGNMENT)?;
        let before = std::mem::replace(&mut self.view, imported);
        self.bound.get_or_insert(before);
        Ok(())
    }
    fn end_import(&mut self) -> Result<()> {
        self.view = self.bound.take().ok_or(Error::invalid("nothing is imported"))?;
        Ok(())
    }
    fn view(&self) -> Result<&View> {
        Ok(&self.view)
    }
}
