//! Creates and drops objects on several threads, half of them on another thread than the one that created them. Memory
//! use must not grow after the first tenth, and the process may exit meanwhile.
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Barrier};
use tenon::*;

mod chosen;

const THREADS: usize = 4;
const TURNS: usize = 25_000; // per thread, with eleven objects each: more than a million objects; on a GPU a tenth of that
const TENTHS: usize = 10;
const SOURCE: &str = r#"extern "C" __global__ void k(int* x) { x[threadIdx.x] += 1; }"#;

type Parcel = Box<dyn Any + Send>;

fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages") * 4096
}

fn used(device: &Device) -> u64 {
    let mut info = tenon_sys::tenon_memory_info::new();
    let mut handle = std::ptr::null_mut();
    let name = std::ffi::CString::new(device.name().unwrap()).unwrap();
    unsafe {
        assert_eq!(tenon_sys::tenon_context_device(std::ptr::null_mut(), name.as_ptr(), &mut handle), 0);
        assert_eq!(tenon_sys::tenon_device_get_memory_info(handle, &mut info), 0);
        tenon_sys::tenon_device_release(handle);
    }
    info.used
}

/// Creates and drops eleven objects: four arrays, two views, two bound calls, two tensors and a graph.
fn turn(device: &Device, kernel: &Kernel, to: &SyncSender<Parcel>, from: &Receiver<Parcel>) -> Result<usize> {
    let mut array = Array::<i32>::zeros(device, &[8, 4])?;
    assert_eq!(array.view().transpose()?.index(0, 1)?.to_vec()?.len(), 8);
    for _ in 0..2 {
        kernel.bind(Grid::new(1, 4), args![&mut array])?.launch(None)?;
    }
    let tensor = Array::<f32>::zeros(device, &[4, 4])?.into_dlpack()?;
    let back = DynArray::from_dlpack(tensor)?;
    let tensor = Array::<f32>::zeros(device, &[16])?.into_dlpack()?;
    let mut graph =
        Graph::record(device, |recording| recording.launch(kernel, Grid::new(1, 4), args![&mut array]).map(drop))?;
    graph.launch(None)?;
    drop(graph);
    assert_eq!(array.to_vec()?[..4], [3; 4]);
    let mut passed_on = 0;
    let parcels: [Parcel; 3] = [Box::new(array), Box::new(back), Box::new(tensor)];
    for parcel in parcels {
        passed_on += usize::from(to.try_send(parcel).is_ok()); // a neighbour whose channel is full gets no more
    }
    from.try_iter().for_each(drop);
    Ok(passed_on)
}

fn channels() -> Vec<(SyncSender<Parcel>, Receiver<Parcel>)> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..THREADS).map(|_| sync_channel(128)).unzip();
    let mut senders = senders.into_iter().cycle().skip(1).take(THREADS);
    receivers.into_iter().map(|from| (senders.next().unwrap(), from)).collect()
}

fn shared() -> (Device, Kernel) {
    let device = chosen::device();
    let program = unsafe { Program::compile(&device, SOURCE, &["k"]) }.expect("it compiles");
    let kernel = program.kernel("k").expect("it has that kernel");
    (device, kernel)
}

#[test]
fn memory_stays_where_it_was_after_the_first_tenth() {
    let (device, kernel) = shared();
    let gate = Arc::new(Barrier::new(THREADS));
    let passed_on = Arc::new(AtomicUsize::new(0));
    let turns = if chosen::on_host() { TURNS } else { TURNS / 10 };
    let threads: Vec<_> = channels()
        .into_iter()
        .enumerate()
        .map(|(number, (to, from))| {
            let (device, kernel, gate, total) = (device.clone(), kernel.clone(), gate.clone(), passed_on.clone());
            std::thread::spawn(move || {
                let mut amounts = Vec::new();
                for _ in 0..TENTHS {
                    for _ in 0..turns / TENTHS {
                        let passed_on = turn(&device, &kernel, &to, &from).expect("a turn succeeds");
                        total.fetch_add(passed_on, Ordering::Relaxed);
                    }
                    gate.wait(); // every neighbour has passed on its objects
                    from.try_iter().for_each(drop);
                    gate.wait();
                    if number == 0 {
                        amounts.push((resident(), used(&device)));
                    }
                    gate.wait();
                }
                amounts
            })
        })
        .collect();
    let amounts: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect();
    let (early, late) = (amounts[0], amounts[TENTHS - 1]);
    println!("after the first tenth and at the end: {early:?} and {late:?}, passed on: {passed_on:?}");
    assert_eq!(early.1, late.1, "bytes in live buffers");
    assert!(late.0 <= early.0 + (3 << 20), "resident bytes: {} and {}", early.0, late.0);
    assert!(passed_on.load(Ordering::Relaxed) > THREADS * 128, "{passed_on:?} objects were dropped by another thread");
}

#[test]
fn the_process_may_end_while_threads_work() {
    const CHILD: &str = "TENON_TEST_ENDS_EARLY";
    if std::env::var_os(CHILD).is_some() {
        let (device, kernel) = shared();
        let done = Arc::new(AtomicUsize::new(0));
        for (to, from) in channels() {
            let (device, kernel, done) = (device.clone(), kernel.clone(), done.clone());
            std::thread::spawn(move || loop {
                turn(&device, &kernel, &to, &from).expect("a turn succeeds");
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        while done.load(Ordering::Relaxed) < 200 {
            std::thread::yield_now();
        }
        std::process::exit(7);
    }
    for _ in 0..5 {
        let program = std::env::current_exe().expect("this program");
        let status = std::process::Command::new(program)
            .args(["--exact", "the_process_may_end_while_threads_work"])
            .env(CHILD, "1")
            .stdout(std::process::Stdio::null())
            .status()
            .expect("it starts");
        assert_eq!(status.code(), Some(7), "{status}");
    }
}
