//! The traits that a backend implements.
use crate::{
    sys, Case, Compiled, Counter, Fence, Fit, KindInfo, Layer, Offer, Operator, OptionSchema,
    OutputInfo, Profiler, Profiling, Progress, Result, Run, Scope, Start, Status, Value,
};
use std::ffi::CStr;
use std::marker::PhantomData;
use std::time::Duration;

/// One start of a backend. It may be started several times in one process; what is kept lies in the
/// objects that its functions make.
pub trait Backend: Sized + Send + Sync + 'static {
    /// The name that users give it: 1 to 64 letters, digits and `. _ + -`.
    const ID: &'static CStr;
    /// Kept for a runtime, such as an open device; `()` with none.
    type Context: Send + Sync + 'static;
    /// Kept for a network, such as its options; `()` with none.
    type Model: Send + Sync + 'static;
    /// A compiled sub-graph; `()` with none.
    type Compiled: Compiled<Self>;
    /// Makes the workloads of a network while it is loaded.
    type Builder: Builder<Self>;
    /// One layer. `'w` is how long data of its constants stays.
    type Workload<'w>: Workload<Self>;
    /// A loaded network; `()` where its workloads share nothing and their state is `()`.
    type Loaded: Loaded<Self>;
    /// The things that one run at a time changes: scratch memory, queues.
    type State: Send + 'static;
    /// A kind of tensor memory; [`crate::NoKind`] with none.
    type Kind: crate::Kind;

    /// Starts. [`crate::Error::unavailable`] when the machine lacks something. [any thread]
    fn start(args: &Start<'_>) -> Result<Self>;
    /// Capabilities: [`crate::RANK`] and others, with names of `backend.h` or of the vendor's own.
    /// [any thread]
    fn capabilities(&self) -> Vec<(&'static CStr, Value<'static>)> {
        Vec::new()
    }
    /// Options, which the host checks. [any thread]
    fn options(&self) -> Vec<OptionSchema> {
        Vec::new()
    }
    /// Operators of the backend's own. [any thread]
    fn operators(&self) -> Vec<Operator> {
        Vec::new()
    }
    /// Layers of these operators with what is right, for `check-backend`. [any thread]
    fn operator_cases(&self) -> Vec<Case> {
        Vec::new()
    }
    /// Kinds of tensor memory, best first; they lie in the instance, the context or the model.
    /// [any thread]
    fn kinds<'a>(&'a self, _scope: &Scope<'a, Self>) -> Vec<KindInfo<'a, Self::Kind>> {
        Vec::new()
    }
    /// Makes what is kept for a runtime; `None`: nothing. [any thread]
    fn context(&self, _scope: &Scope<'_, Self>) -> Result<Option<Self::Context>> {
        Ok(None)
    }
    /// Tells of a network that uses the backend. An error of [`NetworkEvent::BeforeLoad`] refuses
    /// the network. [one at a time]
    fn network_event(
        &self, _scope: &Scope<'_, Self>, _event: NetworkEvent, _id: u32,
    ) -> Result<()> {
        Ok(())
    }
    /// Makes what is kept for a network; `None`: nothing. [any thread]
    fn model(&self, _scope: &Scope<'_, Self>) -> Result<Option<Self::Model>> {
        Ok(None)
    }
    /// Says whether workloads can run a layer. [`crate::Error::unsupported`], with the reason: no;
    /// all other errors are faults. [any thread]
    fn supports(
        &self, scope: &Scope<'_, Self>, layer: &Layer<'_, '_, Self>,
        support: &mut Support<'_, Self>,
    ) -> Result<()>;
    /// Infers the outputs of a layer of an own operator, also when extents or ranks are open. [any
    /// thread]
    fn infer<'a>(&self, layer: &Layer<'a, '_, Self>) -> Result<Vec<OutputInfo<'a>>> {
        let text = format!("the operator of {} is not known", layer.name());
        Err(crate::Error::unsupported(text))
    }
    /// Compiles a sub-graph; without an answer, and after an error, its layers run one by one. [any
    /// thread]
    fn optimize(&self, _scope: &Scope<'_, Self>, offer: &Offer<'_, Self>) -> Result<()> {
        offer.untouched(&offer.part())
    }
    /// Reads what [`Compiled::save`] wrote, and checks it again. [`crate::Status::Unsupported`]: it
    /// does not fit here; [`crate::Status::Unavailable`] for a target. [any thread]
    fn load(
        &self, _scope: &Scope<'_, Self>, _content: &[u8], _progress: Progress<'_>,
    ) -> Result<Self::Compiled> {
        Err(crate::Error::unsupported("nothing that is compiled can be saved"))
    }
    /// Describes driver, firmware and target, which what it compiles depends on, and says whether
    /// what was compiled under another description fits here. [any thread]
    fn check(&self, _scope: &Scope<'_, Self>, _description: Option<&str>) -> Result<(Fit, &CStr)> {
        Err(crate::Error::unsupported("nothing that is compiled fits elsewhere"))
    }
    /// Counters that profilers of this context report. [any thread]
    fn counters(&self, _scope: &Scope<'_, Self>) -> Vec<Counter> {
        Vec::new()
    }
    /// Makes what measures a runtime, and reports to `profiling`; `None`: nothing is measured. [any
    /// thread]
    fn profiler(
        &self, _scope: &Scope<'_, Self>, _profiling: Profiling,
    ) -> Result<Option<Box<dyn Profiler>>> {
        Ok(None)
    }
    /// Makes what builds the workloads of a network. [any thread]
    fn builder(&self, scope: &Scope<'_, Self>) -> Result<Self::Builder>;
}

/// Makes the workloads of one network.
pub trait Builder<B: Backend>: Send + 'static {
    /// Makes the workload of a layer that [`Backend::supports`] said yes to, or of a compiled one.
    /// Whatever it keeps of constants for `'w` can be kept in the workload alone. [one at a time]
    fn workload<'w>(
        &mut self, scope: &Scope<'_, B>, layer: &Layer<'_, 'w, B>,
    ) -> Result<B::Workload<'w>>;
    /// Ends building, after all workloads. [one at a time]
    fn load(&mut self, scope: &Scope<'_, B>) -> Result<B::Loaded>;
}

/// A loaded network.
pub trait Loaded<B: Backend>: Send + Sync + 'static {
    /// Makes what one run at a time changes, sized for all workloads. [any thread]
    fn state(&self, scope: &Scope<'_, B>) -> Result<B::State>;
    /// Says what memory the network takes. [any thread]
    fn memory(&self) -> MemoryReport {
        MemoryReport::default()
    }
    /// Waits for a fence that a workload gave, or says how the work of one with a token ended:
    /// [`crate::Status::Timeout`], or what it failed with, for as long as the fence stays. A time of
    /// 0 only looks; `None`: it takes as long as it takes. [any thread]
    fn wait(
        &self, _scope: &Scope<'_, B>, _fence: Fence<'_>, _timeout: Option<Duration>,
    ) -> Result<()> {
        Err(crate::Error::unsupported("no fence of this backend is waited for"))
    }
}

impl<B: Backend<State = ()>> Loaded<B> for () {
    fn state(&self, _scope: &Scope<'_, B>) -> Result<()> {
        Ok(())
    }
}

/// One layer; it never changes.
pub trait Workload<B: Backend>: Send + Sync {
    /// Computes the outputs from the inputs; or states in [`Run::completion`] when that has
    /// happened. [`crate::Error::invalid`] for a value of an input that the layer cannot have. [any
    /// thread]
    fn run(&self, run: &Run<'_, B>, state: &mut B::State) -> Result<()>;
}

/// An event in the life of a network. Each `Before` is followed by its `After`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkEvent {
    /// It is about to be loaded.
    BeforeLoad,
    /// It was loaded; or not, for a reason.
    AfterLoad(Option<Status>),
    /// It is about to be unloaded.
    BeforeUnload,
    /// It was unloaded; or not, for a reason.
    AfterUnload(Option<Status>),
}

/// Bytes that a loaded network takes; 0: none or not stated.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryReport {
    /// Packed or shared constants of all workloads, but for those that came with layers.
    pub constants: u64,
    /// Scratch memory of each state.
    pub scratch: u64,
    /// Memory of devices.
    pub device: u64,
    /// The most at one time.
    pub peak: u64,
}

/// Details of a yes; all may be left out.
pub struct Support<'a, B: Backend> {
    raw: &'a mut sys::bp_support,
    layer: &'a sys::bp_layer,
    backend: PhantomData<B>,
}

impl<'a, B: Backend> Support<'a, B> {
    pub(crate) fn new(raw: &'a mut sys::bp_support, layer: &'a sys::bp_layer) -> Self {
        Support { raw, layer, backend: PhantomData }
    }
    /// An output may lie where an input lies. Inputs from 64 on, and slots that the layer does not
    /// have, are passed over.
    pub fn in_place(&mut self, input: usize, output: usize) {
        if input < 64.min(self.layer.num_inputs as usize)
            && output < self.layer.num_outputs as usize
        {
            unsafe { *self.raw.in_place.add(output) |= 1 << input };
        }
    }
    /// An input, or an output behind the inputs, is wanted in memory of a kind, one that
    /// [`Backend::kinds`] gives.
    pub fn want(&mut self, slot: usize, kind: &crate::OwnKind<B::Kind>) {
        if slot < (self.layer.num_inputs + self.layer.num_outputs) as usize {
            unsafe { *self.raw.kinds.add(slot) = kind.as_raw() };
        }
    }
    /// States the bytes of constants in the form that is kept.
    pub fn constant_bytes(&mut self, bytes: u64) {
        self.raw.constant_bytes = bytes;
    }
    /// States microseconds of one run, and bytes of scratch memory of each state.
    pub fn cost(&mut self, time_us: f64, scratch_bytes: u64) {
        self.raw.time_us = time_us;
        self.raw.scratch_bytes = scratch_bytes;
    }
}
