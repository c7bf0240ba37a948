//! Functions of the table for compiled sub-graphs.
use crate::describe::Sink;
use crate::error::guard_drop;
use crate::sys::*;
use crate::table::{functions, give_compiled};
use crate::{Backend, Compiled, Error, Offer, Progress, ResizeArgs, Scope};
use std::sync::Arc;

pub(crate) unsafe extern "C" fn free_compiled<B: Backend>(compiled: *mut bp_compiled) {
    guard_drop(|| drop(unsafe { Arc::from_raw(compiled as *const B::Compiled) }));
}

unsafe fn get<'a, B: Backend>(compiled: *const bp_compiled) -> &'a B::Compiled {
    unsafe { &*(compiled as *const B::Compiled) }
}

functions! {
    fn optimize<B>(_: *mut bp_instance, args: *const bp_optimize_args; args, error)
        |scope: Scope<'_, B>| {
            scope.backend().optimize(&scope, &Offer::new(&scope, &*args, error))
        };
    fn resize<B>(compiled: *const bp_compiled, args: *const bp_resize_args,
        out: *mut *mut bp_compiled; args, error)
        |scope| {
            let made = get::<B>(compiled).resize(&scope, &ResizeArgs::new(args))?;
            let made = made.ok_or(Error::unsupported("the sub-graph is compiled anew"))?;
            *out = give_compiled::<B>(made);
            Ok(())
        };
    fn in_place<B>(compiled: *const bp_compiled, args: *const bp_scope_args, sink: *mut bp_sink;
        args, error)
        |scope| {
            let sink = Sink { host: scope.raw().host, sink, error };
            get::<B>(compiled).in_place().into_iter().try_for_each(|(input, output)| {
                sink.add(BP_ITEM_IN_PLACE, &bp_pair { input, output })
            })
        };
    fn save<B>(compiled: *const bp_compiled, args: *const bp_artifact_args, sink: *mut bp_sink;
        args, error)
        |scope| {
            let progress = Progress::new(scope.raw().host, (*args).offer);
            let content = get::<B>(compiled).save(&scope, progress)?;
            let sink = Sink { host: scope.raw().host, sink, error };
            let (data, length) = (content.as_ptr() as *const _, content.len() as u64);
            sink.add(BP_ITEM_BYTES, &bp_text { data, length })
        };
    fn load<B>(_: *mut bp_instance, args: *const bp_artifact_args, out: *mut *mut bp_compiled;
        args, error)
        |scope: Scope<'_, B>| {
            let content = crate::bytes((*args).content, (*args).num_bytes);
            let progress = Progress::new(scope.raw().host, (*args).offer);
            *out = give_compiled::<B>(scope.backend().load(&scope, content, progress)?);
            Ok(())
        };
    fn check<B>(_: *mut bp_instance, args: *const bp_check_args, out: *mut bp_fit; args, error)
        |scope: Scope<'_, B>| {
            let given = (*args).description;
            let description = (!given.is_null()).then(|| crate::text(given));
            let (fit, description) = scope.backend().check(&scope, description)?;
            (*out).fit = fit as u32;
            (*out).description = description.as_ptr();
            Ok(())
        };
}
