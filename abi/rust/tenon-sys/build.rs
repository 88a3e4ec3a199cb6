//! Finds libtenon, unless it is opened at run time: TENON_LIB_DIR where it is set, else what pkg-config says, else the linker's own directories.
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
        println!("cargo:lib_dir={directory}"); // for a dependent that wants it as its run path: DEP_TENON_LIB_DIR
    }
}

fn from_pkg_config() -> Option<String> {
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let output = Command::new(program).args(["--variable=libdir", "tenon"]).output().ok()?;
    let directory = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !directory.is_empty()).then_some(directory)
}
