//! Functions of the table for tensor memory.
use crate::error::{guard, guard_drop};
use crate::sys::*;
use crate::table::{borrow, borrow_mut, functions, give, HandleOf, OwnHandle};
use crate::{Backend, Block, Error, Handle, Kind, Memory, OwnKind, Requirements, TensorInfo};

unsafe fn get_kind<'a, B: Backend>(kind: *mut bp_kind) -> &'a OwnKind<B::Kind> {
    unsafe { &*(kind as *const OwnKind<B::Kind>) }
}

pub(crate) unsafe extern "C" fn allocate<B: Backend>(
    kind: *mut bp_kind, wanted: *const bp_requirements, view: *mut bp_view, error: *mut bp_error,
) -> bp_status {
    let kind = unsafe { get_kind::<B>(kind) };
    let call = || unsafe {
        let (num_bytes, alignment) = ((*wanted).num_bytes, (*wanted).alignment);
        kind.kind.allocate(Requirements { num_bytes, alignment })?.fill(&mut *view);
        Ok(())
    };
    unsafe { guard(kind.host, error, call) }
}
pub(crate) unsafe extern "C" fn free_block<B: Backend>(kind: *mut bp_kind, view: *const bp_view) {
    guard_drop(|| unsafe { get_kind::<B>(kind).kind.free(Block::from_view(&*view)) });
}

functions! {
    fn requirements<B>(kind: *mut bp_kind, args: *const bp_handle_args, out: *mut bp_requirements;
        args, error)
        |_| {
            let answer = get_kind::<B>(kind).kind.requirements(TensorInfo::new((*args).info))?;
            (*out).num_bytes = answer.num_bytes;
            (*out).alignment = answer.alignment;
            Ok(())
        };
    fn make_handle<B>(kind: *mut bp_kind, args: *const bp_handle_args, out: *mut *mut bp_handle;
        args, error)
        |_| {
            if !(*args).parent.is_null() {
                return Err(Error::unsupported("tensors have no parts"));
            }
            let handle = get_kind::<B>(kind).kind.handle(TensorInfo::new((*args).info))?;
            give(OwnHandle { handle, is_mapped: false }, out)
        };
    fn bind<B>(handle: *mut bp_handle, args: *const bp_bind_args; args, error)
        |_| {
            let own = borrow_mut::<HandleOf<B>, _>(handle);
            if own.is_mapped {
                return Err(Error::invalid("the tensor is mapped"));
            }
            match (*args).action {
                BP_BIND_BLOCK => own.handle.bind(Memory(&*(*args).memory), (*args).offset),
                BP_BIND_IMPORT => own.handle.import(Memory(&*(*args).memory)),
                BP_BIND_END_IMPORT => own.handle.end_import(),
                action => Err(Error::unsupported(format!("action {action} is not known"))),
            }
        };
    fn get_view<B>(handle: *mut bp_handle, args: *const bp_view_args, view: *mut bp_view;
        args, error)
        |_| {
            if (*args).source & !BP_MEMORY_CPU != 0 {
                return Err(Error::unsupported("tensors are exported as memory of the CPU alone"));
            }
            borrow::<HandleOf<B>, _>(handle).handle.view()?.write(view, BP_ACCESS_READ_WRITE)
        };
    fn map<B>(handle: *mut bp_handle, args: *const bp_view_args, view: *mut bp_view; args, error)
        |_| {
            let own = borrow_mut::<HandleOf<B>, _>(handle);
            if own.is_mapped {
                return Err(Error::invalid("the tensor is mapped"));
            }
            own.handle.view()?.write(view, (*args).access)?;
            own.is_mapped = true;
            Ok(())
        };
    fn unmap<B>(handle: *mut bp_handle, args: *const bp_view_args; args, error)
        |_| {
            let own = borrow_mut::<HandleOf<B>, _>(handle);
            let was_mapped = std::mem::take(&mut own.is_mapped);
            was_mapped.then_some(()).ok_or(Error::invalid("the tensor is not mapped"))
        };
}
