//! The table of a backend: the functions of `backend.h`, over the traits.
use crate::compiled_functions::{check, free_compiled, in_place, load, optimize, resize, save};
use crate::describe::{describe as describe_items, Sink};
use crate::error::{guard, guard_drop};
use crate::memory_functions::{
    allocate, bind, free_block, get_view, make_handle, map, requirements, unmap,
};
use crate::profile::OwnProfiler;
use crate::sys::*;
use crate::{
    Active, Backend, Builder, Error, Fence, Kind, Layer, Loaded, NetworkEvent, Profiling, Result,
    Run, Scope, Start, Status, Support, Workload,
};
use std::sync::Arc;
use std::time::Duration;

/// A table that a file may export.
pub struct Table(bp_backend);

// It is only read.
unsafe impl Sync for Table {}

impl Table {
    /// A table, such as one of [`table`] with some functions replaced.
    ///
    /// # Safety
    /// All functions are those of one backend and do what `backend.h` says.
    pub const unsafe fn new(raw: bp_backend) -> Self {
        Table(raw)
    }
    /// The struct of `backend.h`.
    pub const fn get(&self) -> &bp_backend {
        &self.0
    }
}

/// Fails to compile unless the manifest names the backend as the type does.
///
/// # Panics
/// It does not.
pub const fn check_id<B: Backend>(id: &str) {
    let (known, stated) = (B::ID.to_bytes(), id.as_bytes());
    assert!(known.len() == stated.len(), "the id of the manifest is not that of the type");
    let mut at = 0;
    while at < known.len() {
        assert!(known[at] == stated[at], "the id of the manifest is not that of the type");
        at += 1;
    }
}

/// The table of a backend.
pub const fn table<B: Backend>() -> Table {
    Table(bp_backend {
        size_bytes: std::mem::size_of::<bp_backend>() as u32,
        major: BP_API_MAJOR,
        needs_minor: 0,
        knows_minor: 0,
        id: B::ID.as_ptr(),
        start: Some(start::<B>),
        stop: Some(stop::<B>),
        extension: None,
        describe: Some(describe::<B>),
        make_context: Some(make_context::<B>),
        free_context: Some(free_context::<B>),
        network_event: Some(network_event::<B>),
        make_model: Some(make_model::<B>),
        free_model: Some(free_model::<B>),
        supports: Some(supports::<B>),
        infer: Some(infer::<B>),
        optimize: Some(optimize::<B>),
        free_compiled: Some(free_compiled::<B>),
        save: Some(save::<B>),
        load: Some(load::<B>),
        check: Some(check::<B>),
        make_builder: Some(make_builder::<B>),
        free_builder: Some(free_builder::<B>),
        make_workload: Some(make_workload::<B>),
        free_workload: Some(free_workload::<B>),
        make_loaded: Some(make_loaded::<B>),
        free_loaded: Some(free_loaded::<B>),
        memory: Some(memory::<B>),
        make_state: Some(make_state::<B>),
        free_state: Some(free_state::<B>),
        run: Some(run::<B>),
        wait: Some(wait::<B>),
        requirements: Some(requirements::<B>),
        allocate: Some(allocate::<B>),
        free_block: Some(free_block::<B>),
        make_handle: Some(make_handle::<B>),
        bind: Some(bind::<B>),
        get_view: Some(get_view::<B>),
        map: Some(map::<B>),
        unmap: Some(unmap::<B>),
        free_handle: Some(free_handle::<B>),
        make_profiler: Some(make_profiler::<B>),
        activate: Some(activate::<B>),
        free_profiler: Some(free_profiler),
        resize: Some(resize::<B>),
        in_place: Some(in_place::<B>),
    })
}

// ---- Objects

/// An object that the host has. It has a size, so that no two have one address.
struct Held<T> {
    value: T,
    _place: u8,
}

type WorkloadOf<B> = <B as Backend>::Workload<'static>;
pub(crate) type HandleOf<B> = OwnHandle<<<B as Backend>::Kind as Kind>::Handle>;

/// A tensor in memory of a kind, and whether it is mapped.
pub(crate) struct OwnHandle<H> {
    pub handle: H,
    pub is_mapped: bool,
}

pub(crate) unsafe fn give<T, Raw>(value: T, out: *mut *mut Raw) -> Result<()> {
    let mut room = Vec::new();
    if room.try_reserve_exact(1).is_err() {
        return Err(Error::out_of_memory("no memory for an object"));
    }
    room.push(Held { value, _place: 0 });
    unsafe { *out = Box::into_raw(room.into_boxed_slice()) as *mut Raw };
    Ok(())
}

unsafe fn take<T, Raw>(object: *mut Raw) {
    guard_drop(|| drop(unsafe { Box::from_raw(object as *mut Held<T>) }));
}

/// # Safety
/// `object` is what the host got for a `T`, and it stays for `'a`.
pub(crate) unsafe fn borrow<'a, T, Raw>(object: *const Raw) -> &'a T {
    unsafe { &(*(object as *const Held<T>)).value }
}

/// # Safety
/// The same as for `borrow`; or it is null.
pub(crate) unsafe fn borrow_or_none<'a, T, Raw>(object: *const Raw) -> Option<&'a T> {
    (!object.is_null()).then(|| unsafe { borrow(object) })
}

pub(crate) unsafe fn borrow_mut<'a, T, Raw>(object: *mut Raw) -> &'a mut T {
    unsafe { &mut (*(object as *mut Held<T>)).value }
}

pub(crate) fn give_compiled<B: Backend>(compiled: B::Compiled) -> *mut bp_compiled {
    Arc::into_raw(Arc::new(compiled)) as *mut bp_compiled
}

/// # Safety
/// `compiled` is null, or what `give_compiled` gave and the host has not freed.
pub(crate) unsafe fn share_compiled<B: Backend>(
    compiled: *mut bp_compiled,
) -> Option<Arc<B::Compiled>> {
    let compiled = compiled as *const B::Compiled;
    (!compiled.is_null()).then(|| unsafe {
        Arc::increment_strong_count(compiled);
        Arc::from_raw(compiled)
    })
}

// ---- The functions

/// Calls with the scope of a call's arguments.
pub(crate) unsafe fn guard_scope<B: Backend>(
    scope: *const bp_scope, error: *mut bp_error, call: impl FnOnce(Scope<'_, B>) -> Result<()>,
) -> bp_status {
    unsafe { guard((*scope).host, error, || call(Scope::new(scope))) }
}

/// Functions of the table, each with the arguments that have the scope, the error, and what it
/// does. The host hands over what `backend.h` says, which makes each body sound.
macro_rules! functions {
    ($(fn $name:ident<$b:ident>($($argument:tt: $type:ty),*; $args:ident, $error:ident)
        $call:expr;)*) => { $(
        pub(crate) unsafe extern "C" fn $name<$b: $crate::Backend>(
            $($argument: $type,)* $error: *mut $crate::sys::bp_error,
        ) -> $crate::sys::bp_status {
            unsafe { $crate::table::guard_scope::<$b>((*$args).scope, $error, $call) }
        }
    )* };
}
pub(crate) use functions;

/// Functions that free an object.
macro_rules! frees {
    ($($name:ident<$b:ident>: $raw:ty => $object:ty;)*) => { $(
        unsafe extern "C" fn $name<$b: Backend>(object: *mut $raw) {
            unsafe { take::<$object, _>(object) }
        }
    )* };
}

frees! {
    stop<B>: bp_instance => B;
    free_context<B>: bp_context => B::Context;
    free_model<B>: bp_model => B::Model;
    free_builder<B>: bp_builder => B::Builder;
    free_workload<B>: bp_workload => WorkloadOf<B>;
    free_loaded<B>: bp_loaded => B::Loaded;
    free_state<B>: bp_state => B::State;
    free_handle<B>: bp_handle => HandleOf<B>;
}

unsafe extern "C" fn free_profiler(profiler: *mut bp_profiler) {
    unsafe { take::<OwnProfiler, _>(profiler) }
}

unsafe extern "C" fn start<B: Backend>(
    args: *const bp_start_args, out: *mut *mut bp_instance, error: *mut bp_error,
) -> bp_status {
    let args = unsafe { &*args };
    unsafe { guard(args.host, error, || give(B::start(&Start(args))?, out)) }
}

functions! {
    fn describe<B>(_: *mut bp_instance, args: *const bp_describe_args, sink: *mut bp_sink; args, error)
        |scope| {
            let sink = Sink { host: scope.raw().host, sink, error };
            describe_items::<B>(&scope, (*args).item, &sink)
        };
    fn make_context<B>(instance: *mut bp_instance, args: *const bp_context_args,
        out: *mut *mut bp_context; args, error)
        |scope| {
            if (*args).is_protected != 0 || !(*args).allocator.is_null() {
                let text = "neither protected memory nor an allocator is used";
                return Err(Error::unsupported(text));
            }
            let made = borrow::<B, _>(instance).context(&scope)?;
            made.map_or(Ok(()), |made| give(made, out))
        };
    fn network_event<B>(_: *mut bp_context, args: *const bp_network_args; args, error)
        |scope: Scope<'_, B>| {
            let outcome = Status::of((*args).outcome);
            let event = match (*args).event {
                BP_EVENT_BEFORE_LOAD => NetworkEvent::BeforeLoad,
                BP_EVENT_AFTER_LOAD => NetworkEvent::AfterLoad(outcome),
                BP_EVENT_BEFORE_UNLOAD => NetworkEvent::BeforeUnload,
                BP_EVENT_AFTER_UNLOAD => NetworkEvent::AfterUnload(outcome),
                event => return Err(Error::unsupported(format!("event {event} is not known"))),
            };
            scope.backend().network_event(&scope, event, (*args).network_id)
        };
    fn make_model<B>(_: *mut bp_instance, args: *const bp_scope_args, out: *mut *mut bp_model;
        args, error)
        |scope: Scope<'_, B>| {
            let made = scope.backend().model(&scope)?;
            made.map_or(Ok(()), |made| give(made, out))
        };
    fn supports<B>(_: *mut bp_instance, args: *const bp_layer_args, support: *mut bp_support;
        args, error)
        |scope: Scope<'_, B>| {
            let layer = Layer::new((*args).layer);
            let mut support = Support::new(&mut *support, layer.raw());
            scope.backend().supports(&scope, &layer, &mut support)
        };
    fn infer<B>(_: *mut bp_instance, args: *const bp_layer_args, sink: *mut bp_sink; args, error)
        |scope: Scope<'_, B>| {
            let outputs = scope.backend().infer(&Layer::new((*args).layer))?;
            let sink = Sink { host: scope.raw().host, sink, error };
            outputs.iter().try_for_each(|info| sink.add(BP_ITEM_TENSOR_INFO, &info.to_raw()))
        };
    fn make_builder<B>(_: *mut bp_instance, args: *const bp_scope_args, out: *mut *mut bp_builder;
        args, error)
        |scope: Scope<'_, B>| give(scope.backend().builder(&scope)?, out);
    fn make_workload<B>(builder: *mut bp_builder, args: *const bp_layer_args,
        out: *mut *mut bp_workload; args, error)
        |scope| {
            // Data of constants stays as long as the workload, which is what 'static stands for.
            let layer = Layer::new((*args).layer);
            let made: WorkloadOf<B> = borrow_mut::<B::Builder, _>(builder).workload(&scope, &layer)?;
            give(made, out)
        };
    fn make_loaded<B>(builder: *mut bp_builder, args: *const bp_scope_args,
        out: *mut *mut bp_loaded; args, error)
        |scope| give(borrow_mut::<B::Builder, _>(builder).load(&scope)?, out);
    fn memory<B>(loaded: *const bp_loaded, args: *const bp_scope_args,
        report: *mut bp_memory_report; args, error)
        |_| {
            let memory = borrow::<B::Loaded, _>(loaded).memory();
            (*report).constants = memory.constants;
            (*report).scratch = memory.scratch;
            (*report).device = memory.device;
            (*report).peak = memory.peak;
            Ok(())
        };
    fn make_state<B>(loaded: *const bp_loaded, args: *const bp_state_args, out: *mut *mut bp_state;
        args, error)
        |scope| give(borrow::<B::Loaded, _>(loaded).state(&scope)?, out);
    fn wait<B>(loaded: *const bp_loaded, args: *const bp_wait_args; args, error)
        |scope| {
            let timeout_ns = (*args).timeout_ns;
            let timeout = (timeout_ns != u64::MAX).then(|| Duration::from_nanos(timeout_ns));
            borrow::<B::Loaded, _>(loaded).wait(&scope, Fence::new(*(*args).fence), timeout)
        };
    fn make_profiler<B>(_: *mut bp_context, args: *const bp_profiler_args,
        out: *mut *mut bp_profiler; args, error)
        |scope: Scope<'_, B>| {
            let profiling = Profiling::new(scope.raw().host, (*args).sink);
            let mut made = OwnProfiler { profiler: None, profiling };
            made.profiler = scope.backend().profiler(&scope, made.profiling.clone())?;
            if made.profiler.is_some() { give(made, out) } else { Ok(()) }
        };
    fn activate<B>(profiler: *mut bp_profiler, args: *const bp_activate_args; args, error)
        |_| {
            let own = borrow_mut::<OwnProfiler, _>(profiler);
            own.profiler.as_mut().map_or(Ok(()), |profiler| profiler.activate(&Active(&*args)))
        };
}

unsafe extern "C" fn run<B: Backend>(
    workload: *const bp_workload, args: *const bp_run_args, error: *mut bp_error,
) -> bp_status {
    let call = || unsafe {
        let state = borrow_mut::<B::State, _>((*args).state);
        borrow::<WorkloadOf<B>, _>(workload).run(&Run::new(args, error), state)
    };
    unsafe { guard((*(*args).scope).host, error, call) }
}
