//! Finds libtenon, unless it is opened at run time: in TENON_LIB_DIR if that is set, else with pkg-config, else in the
//! linker's own directories.
use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TENON_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let enabled = |feature| env::var_os(feature).is_some();
    if enabled("CARGO_FEATURE_DLOPEN") || !enabled("CARGO_FEATURE_LINK") {
        return;
    }
    println!("cargo:rustc-link-lib=dylib=tenon");
    if let Some(directory) = env::var("TENON_LIB_DIR").ok().or_else(from_pkg_config) {
        println!("cargo:rustc-link-search=native={directory}");
        println!("cargo:lib_dir={directory}"); // DEP_TENON_LIB_DIR, for a dependent crate that sets its run path
    }
}

fn from_pkg_config() -> Option<String> {
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let output = Command::new(program).args(["--variable=libdir", "tenon"]).output().ok()?;
    let directory = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !directory.is_empty()).then_some(directory)
}
