//! The device on which the tests run: the one that TENON_TEST_DEVICE names, such as "cuda:0", or the CPU.
use tenon::Device;

pub fn name() -> String {
    std::env::var("TENON_TEST_DEVICE").unwrap_or_else(|_| "cpu:0".into())
}

pub fn device() -> Device {
    let name = name();
    Device::named(&name).unwrap_or_else(|error| panic!("TENON_TEST_DEVICE is {name}: {error}"))
}

/// Whether the device's memory is the host's.
#[allow(dead_code)] // not every test program asks
pub fn on_host() -> bool {
    device().name().map_or(false, |name| name.starts_with("cpu"))
}
