//! Lets the program find libtenon where tenon-sys found it, without LD_LIBRARY_PATH.
fn main() {
    if let Ok(directory) = std::env::var("DEP_TENON_LIB_DIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
