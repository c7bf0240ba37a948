//! A backend of the Rust crate with a device, which is a thread: ReLU, and an operator that gives
//! the elements above 0, whose number only the run knows. An option says how ReLU runs.

use backplane_backend::layers::{activation_function, data_type, log_level, ActivationDescriptor};
use backplane_backend::{
    monotonic_ns, Active, Backend, Builder, Compiled, Counter, Error, Event, Fence, Fit, Layer,
    Loaded, NetworkEvent, NoKind, Offer, Operator, OptionSchema, OutputInfo, Place, Profiler,
    Profiling, Progress, ResizeArgs, Result, Run, Sample, Scope, Sizing, Slot, Start, Status,
    Support, Value, Workload, FENCES, RANK, SIZED_IN_RUN, STOP,
};
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Condvar, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

const DRIVER: &CStr = c"thread-1";
const JOBS: u32 = 3;

struct Device;

impl Backend for Device {
    const ID: &'static CStr = c"RustDevice";
    type Context = Queue;
    type Model = Way;
    type Compiled = Chain;
    type Builder = Maker;
    type Workload<'w> = Step;
    type Loaded = Network;
    type State = Option<Arc<Job>>; // the last one, whose fence stays
    type Kind = NoKind;

    fn start(_args: &Start<'_>) -> Result<Self> {
        Ok(Device)
    }
    fn capabilities(&self) -> Vec<(&'static CStr, Value<'static>)> {
        let yes = Value::Bool(true);
        let fences = 1 << Fence::OPAQUE | 1 << Fence::EVENT_FD | 1 << Fence::SYNC_FILE;
        vec![(RANK, Value::Int(10)), (FENCES, Value::Int(fences)), (STOP, yes), (SIZED_IN_RUN, yes)]
    }
    fn options(&self) -> Vec<OptionSchema> {
        let text = c"How ReLU runs.";
        let way = OptionSchema::new(c"way", text, Value::Text("now"));
        let allowed = &["now", "later", "in_pieces", "never_done", "never_resized"];
        vec![OptionSchema { place: Place::Network, allowed, ..way }]
    }
    fn operators(&self) -> Vec<Operator> {
        let sizing = Sizing::InRun;
        vec![Operator {
            inputs: vec![Slot::new(c"x", &[data_type::FLOAT32])],
            outputs: vec![Slot { sizing, ..Slot::new(c"y", &[data_type::FLOAT32]) }],
            ..Operator::new(c"example", c"Positive", c"The elements above 0.")
        }]
    }
    fn context(&self, _scope: &Scope<'_, Self>) -> Result<Option<Queue>> {
        Ok(Some(Queue::new()))
    }
    fn network_event(&self, scope: &Scope<'_, Self>, event: NetworkEvent, id: u32) -> Result<()> {
        if let NetworkEvent::AfterLoad(Some(status)) = event {
            scope.log(log_level::INFO, &format!("network {id} was not loaded: {status:?}"));
        }
        Ok(())
    }
    fn model(&self, scope: &Scope<'_, Self>) -> Result<Option<Way>> {
        Ok(Some(match scope.option("way") {
            Some(Value::Text("later")) => Way::Later,
            Some(Value::Text("in_pieces")) => Way::InPieces,
            Some(Value::Text("never_done")) => Way::NeverDone,
            Some(Value::Text("never_resized")) => Way::NeverResized,
            _ => Way::Now,
        }))
    }
    fn supports(
        &self, _scope: &Scope<'_, Self>, layer: &Layer<'_, '_, Self>, _: &mut Support<'_, Self>,
    ) -> Result<()> {
        let is_relu = match layer.descriptor::<ActivationDescriptor>() {
            Some(activation) => activation.function == activation_function::RELU,
            None => false,
        };
        if !is_relu && layer.custom().is_none() {
            return Err(Error::unsupported("only Relu and example/Positive are supported"));
        }
        if let Some(quantization) = layer.output(0).quantization() {
            let (axis, scales) = (quantization.axis(), quantization.scales().elements::<f32>());
            let zero_points = quantization.zero_points().and_then(|zeros| zeros.elements::<i32>());
            return Err(Error::unsupported(format!(
                "scales {scales:?} and zero points {zero_points:?} of axis {axis} are not supported"
            )));
        }
        match layer.output(0).data_type() {
            data_type::FLOAT32 => Ok(()),
            other => Err(Error::unsupported(format!("data type {other} is not supported"))),
        }
    }
    fn infer<'a>(&self, layer: &Layer<'a, '_, Self>) -> Result<Vec<OutputInfo<'a>>> {
        let input = layer.inputs().next().flatten().ok_or(Error::invalid("it has one input"))?;
        let dims = input.dims().to_vec();
        Ok(vec![OutputInfo::Sized(Sizing::InRun, data_type::FLOAT32, dims)])
    }
    fn optimize(&self, _scope: &Scope<'_, Self>, offer: &Offer<'_, Self>) -> Result<()> {
        let (part, num_layers) = (offer.part(), offer.layers().len() as u64);
        if num_layers < 2 || part.inputs.len() != 1 || part.outputs.len() != 1 {
            return offer.untouched(&part);
        }
        offer.progress().report(num_layers, num_layers, "layers of a chain");
        offer.replace_all(c"chain", &part.inputs, Chain { num_layers })
    }
    fn load(
        &self, _scope: &Scope<'_, Self>, content: &[u8], progress: Progress<'_>,
    ) -> Result<Chain> {
        let bytes = content.try_into().map_err(|_| Error::unsupported("it is no chain"))?;
        let num_layers = u64::from_le_bytes(bytes);
        progress.report(num_layers, num_layers, "read");
        Ok(Chain { num_layers })
    }
    fn check(&self, _scope: &Scope<'_, Self>, description: Option<&str>) -> Result<(Fit, &CStr)> {
        let fit = match description {
            None => Fit::Unasked,
            Some("thread-1") => Fit::Fits,
            Some("thread-0") => Fit::AfterRecompiling,
            Some(_) => Fit::Never,
        };
        Ok((fit, DRIVER))
    }
    fn counters(&self, _scope: &Scope<'_, Self>) -> Vec<Counter> {
        let text = c"Jobs that were done.";
        vec![Counter { id: JOBS, name: c"jobs", unit: c"1", text }]
    }
    fn profiler(
        &self, scope: &Scope<'_, Self>, profiling: Profiling,
    ) -> Result<Option<Box<dyn Profiler>>> {
        let measures = scope.context().map(|queue| queue.measures.clone());
        Ok(measures.map(|measures| Box::new(Meter { measures, profiling }) as Box<dyn Profiler>))
    }
    fn builder(&self, _scope: &Scope<'_, Self>) -> Result<Maker> {
        Ok(Maker)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Now,
    Later,
    InPieces,
    NeverDone,
    NeverResized,
}

/// ReLU, however often.
struct Chain {
    num_layers: u64,
}

impl Compiled<Device> for Chain {
    fn resize(&self, scope: &Scope<'_, Device>, args: &ResizeArgs<'_>) -> Result<Option<Self>> {
        for (before, after) in args.changes() {
            scope.log(log_level::DEBUG, &format!("{before} is {after}"));
        }
        for (layer, input, constant) in args.constants() {
            let elements = constant.elements::<f32>();
            let text = format!("input {input} of layer {layer} reads {elements:?}");
            scope.log(log_level::DEBUG, &text);
        }
        while scope.model() == Some(&Way::NeverResized) {
            if args.is_stopped() {
                return Err(Error::new(Status::Cancelled, "the run is to end"));
            }
            std::thread::yield_now();
        }
        Ok(Some(Chain { num_layers: self.num_layers }))
    }
    fn in_place(&self) -> Vec<(u32, u32)> {
        vec![(0, 0)]
    }
    fn save(&self, _scope: &Scope<'_, Device>, progress: Progress<'_>) -> Result<Vec<u8>> {
        progress.report(self.num_layers, self.num_layers, "written");
        Ok(self.num_layers.to_le_bytes().to_vec())
    }
}

/// As it is where it is not a number.
fn relu(x: f32) -> f32 {
    if x < 0.0 {
        0.0
    } else {
        x
    }
}

struct Maker;

impl Builder<Device> for Maker {
    fn workload<'w>(
        &mut self, scope: &Scope<'_, Device>, layer: &Layer<'_, 'w, Device>,
    ) -> Result<Step> {
        let way = scope.model().copied().unwrap_or(Way::Now);
        Ok(Step { way, is_positive: layer.custom().is_some(), name: layer.name().into() })
    }
    fn load(&mut self, _scope: &Scope<'_, Device>) -> Result<Network> {
        Ok(Network)
    }
}

struct Network;

impl Loaded<Device> for Network {
    fn state(&self, _scope: &Scope<'_, Device>) -> Result<Option<Arc<Job>>> {
        Ok(None)
    }
    fn wait(
        &self, scope: &Scope<'_, Device>, fence: Fence<'_>, timeout: Option<Duration>,
    ) -> Result<()> {
        let queue = scope.context().ok_or(Error::invalid("there is no device"))?;
        queue.wait(&fence, timeout)
    }
}

struct Step {
    way: Way,
    is_positive: bool,
    name: String,
}

impl Workload<Device> for Step {
    fn run(&self, run: &Run<'_, Device>, state: &mut Option<Arc<Job>>) -> Result<()> {
        while self.way == Way::NeverDone && !run.is_stopped() {
            std::thread::yield_now();
        }
        if run.is_stopped() {
            return Err(Error::new(Status::Cancelled, "the run is to end"));
        }
        let queue = run.scope().context().ok_or(Error::invalid("there is no device"))?;
        let completion = run.completion().filter(|_| self.way == Way::Later);
        // Jobs of the device are done in order.
        let is_awaited = |fence: &Fence<'_>| completion.is_none() || fence.kind() != Fence::OPAQUE;
        run.waits().filter(is_awaited).try_for_each(|fence| queue.wait(&fence, None))?;
        let x = run.input(0).elements::<f32>()?;
        if self.is_positive {
            let positive: Vec<f32> = x.iter().map(Cell::get).filter(|&x| x > 0.0).collect();
            let y = run.set_output(0, &[positive.len() as i64])?.elements::<f32>()?;
            y.iter().zip(positive).for_each(|(y, x)| y.set(x));
            return Ok(());
        }
        let y = run.output(0).elements::<f32>()?;
        if self.way == Way::InPieces {
            return run.parallel_pieces::<f32>(4, |piece| {
                for (x, y) in piece.input(0).iter().zip(piece.output(0)) {
                    let x = x.get();
                    assert!(x != 13.0, "thirteen in the piece from {}", piece.first());
                    y.set(relu(x));
                }
                Ok(())
            });
        }
        if self.way != Way::Later {
            x.iter().zip(y).for_each(|(x, y)| y.set(relu(x.get())));
            return Ok(());
        }
        let place = Places { x: x.as_ptr(), y: y.as_ptr(), count: x.len() };
        let job = queue.add(place, &self.name, run.number(), run.step());
        match completion {
            Some(completion) => completion.set(Fence::opaque(job.token)),
            None => job.wait(None)?,
        }
        *state = Some(job);
        Ok(())
    }
}

/// The addresses of tensors, which stay until the fence of the job has passed.
struct Places {
    x: *const Cell<f32>,
    y: *const Cell<f32>,
    count: usize,
}

unsafe impl Send for Places {}
unsafe impl Sync for Places {}

impl Places {
    fn compute(&self) -> std::result::Result<(), &'static str> {
        for i in 0..self.count {
            let x = unsafe { (*self.x.add(i)).get() };
            if x == 13.0 {
                return Err("the device met thirteen");
            }
            unsafe { (*self.y.add(i)).set(relu(x)) };
        }
        Ok(())
    }
}

struct Job {
    token: u64,
    places: Places,
    event: (String, u64, u32), // name, run and step
    outcome: Mutex<Option<std::result::Result<(), &'static str>>>,
    is_done: Condvar,
}

impl Job {
    fn wait(&self, timeout: Option<Duration>) -> Result<()> {
        let outcome = self.outcome.lock().unwrap();
        let is_waiting = |outcome: &mut Option<_>| outcome.is_none();
        let outcome = match timeout {
            None => self.is_done.wait_while(outcome, is_waiting).unwrap(),
            Some(timeout) => {
                self.is_done.wait_timeout_while(outcome, timeout, is_waiting).unwrap().0
            }
        };
        match *outcome {
            Some(Ok(())) => Ok(()),
            Some(Err(text)) => Err(Error::new(Status::Failure, text)),
            None => Err(Error::new(Status::Timeout, "the device is not done")),
        }
    }
}

/// What of the device is measured, and where it is told.
#[derive(Default)]
struct Measures {
    timeline: Option<Profiling>,
    counter: Option<Profiling>,
    num_jobs: u64,
}

struct Meter {
    measures: Arc<Mutex<Measures>>,
    profiling: Profiling,
}

impl Profiler for Meter {
    fn activate(&mut self, active: &Active<'_>) -> Result<()> {
        if active.counters().iter().any(|&counter| counter != JOBS) {
            return Err(Error::new(Status::NotFound, "jobs (3) is the only counter"));
        }
        let mut measures = self.measures.lock().unwrap();
        let place = |is_on: bool| is_on.then(|| self.profiling.clone());
        measures.timeline = place(active.has_timeline());
        measures.counter = place(!active.counters().is_empty());
        Ok(())
    }
}

/// The device: it does one job after the other, each after a while.
struct Queue {
    jobs: Mutex<HashMap<u64, Weak<Job>>>,
    next: AtomicU64,
    measures: Arc<Mutex<Measures>>,
    sender: Option<mpsc::Sender<Arc<Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Queue {
    fn new() -> Self {
        let (sender, receiver) = mpsc::channel::<Arc<Job>>();
        let measures = Arc::<Mutex<Measures>>::default();
        let of_thread = measures.clone();
        let thread = std::thread::spawn(move || {
            for job in receiver {
                do_job(&job, &of_thread);
            }
        });
        let (jobs, next) = (Mutex::default(), AtomicU64::new(1));
        Queue { jobs, next, measures, sender: Some(sender), thread: Some(thread) }
    }
    fn add(&self, places: Places, name: &str, run: u64, step: u32) -> Arc<Job> {
        let token = self.next.fetch_add(1, Ordering::Relaxed);
        let event = (format!("job of {name}"), run, step);
        let (outcome, is_done) = (Mutex::new(None), Condvar::new());
        let job = Arc::new(Job { token, places, event, outcome, is_done });
        let mut jobs = self.jobs.lock().unwrap();
        jobs.retain(|_, job| job.strong_count() > 0);
        jobs.insert(token, Arc::downgrade(&job));
        self.sender.as_ref().unwrap().send(job.clone()).unwrap();
        job
    }
    fn wait(&self, fence: &Fence<'_>, timeout: Option<Duration>) -> Result<()> {
        if fence.kind() != Fence::OPAQUE {
            return fence.wait_for_file(timeout);
        }
        let job = self.jobs.lock().unwrap().get(&fence.token()).and_then(Weak::upgrade);
        job.ok_or(Error::invalid("no fence of this device"))?.wait(timeout)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        drop(self.sender.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

fn do_job(job: &Job, measures: &Mutex<Measures>) {
    let begin_ns = monotonic_ns();
    std::thread::sleep(Duration::from_millis(2));
    let outcome = job.places.compute();
    let end_ns = monotonic_ns();
    let (name, run, step) = (&*job.event.0, job.event.1, job.event.2);
    let mut measures = measures.lock().unwrap();
    measures.num_jobs += 1;
    if let Some(timeline) = &measures.timeline {
        let event = Event { name, lane: "thread", begin_ns, end_ns, run, step };
        timeline.report_event(&event).unwrap();
    }
    if let Some(counter) = &measures.counter {
        let value = measures.num_jobs as f64;
        let sample = Sample { counter: JOBS, value, time_ns: end_ns, run, step };
        counter.report_sample(&sample).unwrap();
    }
    drop(measures);
    *job.outcome.lock().unwrap() = Some(outcome);
    job.is_done.notify_all();
}

backplane_backend::backend! {
    type: Device,
    id: "RustDevice",
    vendor: "Example",
    version: "1.0.0",
    license: "MIT",
    rank: 10,
    operators: "example/Positive/1-1",
}
