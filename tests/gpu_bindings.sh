#!/bin/sh
# tests/gpu_bindings.sh: the tests of the Rust crates and of the Julia package on a GPU, on a machine with neither compiler.
# The last line is "N passed, N failed, N skipped".
#
# Usage: sh tests/gpu_bindings.sh --pack [rust | julia]   before, where cargo and Julia are: puts the test programs into
#                                                         .gpu/rust/ and Julia's runtime into .gpu/julia.tar.xz
#        sh tests/gpu_bindings.sh [rust | julia]          on the machine with the GPU; it needs no network
# TENON_LIBRARY names the library (otherwise that of build-gpu/ or build/), TENON_TEST_DEVICE the device (otherwise cuda:0).
# Full logs go to $OUT if it is set.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
packed=$root/.gpu

say() { printf '%s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
stop() { say "$*"; say "0 passed, 1 failed, 0 skipped"; exit 1; }

# --- what travels ----------------------------------------------------------------------------------------------------

# The test programs open the library at run time and are linked with nothing but glibc.
pack_rust() {
  have cargo || stop "cargo is missing"
  rm -rf "$packed/rust"
  mkdir -p "$packed/rust"
  build_programs tenon-sys dlopen && build_programs tenon dlopen || stop "the Rust tests could not be built"
  registry=$root/build/crates/root/usr/share/cargo/registry  # of tests/setup.sh
  if [ -d "$registry" ]; then
    rm -f "$root/abi/rust/numeric/Cargo.lock"
    build_programs numeric dlopen,half,num-complex,ndarray --config 'source.crates-io.replace-with="unpacked"' \
      --config "source.unpacked.directory='$registry'" || stop "the Rust tests with other crates could not be built"
  fi
  strip "$packed"/rust/*
  say ".gpu/rust/: $(du -sh "$packed/rust" | cut -f1)"
}

build_programs() {  # folder, features, options of cargo
  crate=$1 features=$2 log=$packed/$1.json
  shift 2
  cargo test --offline --release --no-run --features "$features" --message-format=json --target-dir "$packed/target" \
    --manifest-path "$root/abi/rust/$crate/Cargo.toml" "$@" >"$log" || return 1
  python3 - "$log" "$packed/rust" "$crate" <<'END'
import json, shutil, sys
log, place, crate = sys.argv[1:]
for line in open(log):
    built = json.loads(line)
    if built.get("executable") and "test" in built["target"]["kind"]:
        shutil.copy(built["executable"], f"{place}/{crate}-{built['target']['name']}")
END
  rm "$log"
}

# Julia of build/julia without its documentation and debug information, with every library beyond those of glibc and GCC.
pack_julia() {
  julia=${JULIA_ROOT:-$root/build/julia/root}/usr
  stage=$packed/julia
  libraries=lib/x86_64-linux-gnu
  [ -x "$julia/bin/julia" ] || stop "$julia has no Julia; JULIA_ROOT names the folder into which its packages were unpacked"
  rm -rf "$stage"
  mkdir -p "$stage/bin" "$stage/$libraries/julia" "$stage/share/julia"
  cp "$julia/bin/julia" "$stage/bin/"
  cp -r "$julia/share/julia/stdlib" "$stage/share/julia/"
  rm -rf "$stage"/share/julia/stdlib/v*/*/test "$stage"/share/julia/stdlib/v*/*/docs
  cp "$julia/$libraries/libjulia.so.1" "$stage/$libraries/"
  for name in sys libopenblas64_ libdSFMT libgmp libmpfr libpcre2-8 libopenlibm libsuitesparse_wrapper libsuitesparseconfig libcholmod; do
    cp -L "$julia/$libraries/julia/$name.so" "$stage/$libraries/julia/" || stop "$name.so is missing"
  done
  ln -s libopenblas64_.so "$stage/$libraries/julia/libopenblas64_.so.0"
  LD_LIBRARY_PATH=$julia/$libraries:$julia/$libraries/julia ldd "$stage/bin/julia" "$stage/$libraries"/*.so* "$stage/$libraries"/julia/*.so |
    sed -n 's/^\t\(lib[^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u |
    grep -v -E '^(libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libjulia|libopenblas64_|libz3)\.so' |
    while read -r name path; do cp -L "$path" "$stage/$libraries/$name"; done
  # LLVM is linked with the solver Z3, 26 MB, which only Clang's analyser calls: an empty library in its place satisfies the loader.
  echo | cc -shared -x c - -Wl,-soname,libz3.so.4 -o "$stage/$libraries/libz3.so.4"
  find "$stage/$libraries" -type f -exec strip {} +
  say "compressing $(du -sm "$stage" | cut -f1) MB"
  tar -C "$packed" --sort=name --owner=0 --group=0 --mtime=@0 -cf - julia | xz -9 -T2 >"$packed/julia.tar.xz"
  rm -rf "$stage"
  say ".gpu/julia.tar.xz: $(du -sh "$packed/julia.tar.xz" | cut -f1)"
}

pack() {
  mkdir -p "$packed"
  case ${1:-} in rust) pack_rust ;; julia) pack_julia ;; *) pack_rust; pack_julia ;; esac
}

# --- tests -----------------------------------------------------------------------------------------------------------

# The counts of cargo's test programs; one that ends without them counts as a failure.
run_rust() {
  [ -d "$packed/rust" ] || { say "there are no Rust programs in .gpu/rust: see --pack"; return 1; }
  for program in "$packed"/rust/*; do
    name=$(basename "$program")
    timeout "${LIMIT:-280}" "$program" --test-threads=4 >"$logs/$name.log" 2>&1
    status=$?
    say "$name: exit status $status, $(grep -c '^test .* ok$' "$logs/$name.log") tests passed, after $(seconds) s"
    [ $status = 0 ] || { grep -v '^test .* ok$' "$logs/$name.log" | head -n 60 | cut -c1-300; echo "$name" >>"$logs/failures"; }
  done
}

run_julia() {
  [ -f "$packed/julia.tar.xz" ] || { say "there is no .gpu/julia.tar.xz: see --pack"; return 1; }
  python3 -m tarfile -e "$packed/julia.tar.xz" "$place" >/dev/null || { echo julia >>"$logs/failures"; return 1; }
  libraries=$place/julia/lib/x86_64-linux-gnu
  say "Julia is unpacked after $(seconds) s"
  JULIA_LOAD_PATH=$root/abi/julia:@stdlib JULIA_DEPOT_PATH=$place/depot LD_LIBRARY_PATH=$libraries:$libraries/julia${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    timeout "${LIMIT:-540}" "$place/julia/bin/julia" --startup-file=no --compile=min -O0 "$root/abi/julia/test/runtests.jl" >"$logs/julia.log" 2>&1
  status=$?
  say "julia: exit status $status after $(seconds) s"
  [ $status = 0 ] || { tail -n 90 "$logs/julia.log" | cut -c1-300; echo julia >>"$logs/failures"; }
}

# Both at once: each needs little of the GPU.
run() {
  if [ -z "${TENON_LIBRARY:-}" ]; then
    for directory in build-gpu build; do
      [ -n "${TENON_LIBRARY:-}" ] || [ ! -f "$root/$directory/src/api/libtenon.so.1" ] || TENON_LIBRARY=$root/$directory/src/api/libtenon.so.1
    done
  fi
  [ -f "${TENON_LIBRARY:-}" ] || stop "the library is missing: TENON_LIBRARY is '${TENON_LIBRARY:-}', and build-gpu/ has none"
  export TENON_LIBRARY
  export TENON_TEST_DEVICE="${TENON_TEST_DEVICE:-cuda:0}" TENON_PLUGIN_PATH="$root/kernels"
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  export TENON_CACHE_DIR="${TENON_CACHE_DIR:-$place/cache}"
  logs=${OUT:-$place/logs}
  mkdir -p "$logs"
  : >"$logs/failures"
  case ${1:-} in
    rust) run_rust || echo rust >>"$logs/failures" ;;
    julia) run_julia || echo julia >>"$logs/failures" ;;
    '')
      { run_rust || echo rust >>"$logs/failures"; } >"$place/rust.txt" 2>&1 &
      run_julia || echo julia >>"$logs/failures"
      wait
      cat "$place/rust.txt" ;;
    *) sed -n '5,10s/^# //p' "$0"; exit 2 ;;
  esac
  summarise
}

# Julia prints "Tenon | pass [fail] [error] [broken] total" with a heading; cargo's programs one line per test.
summarise() {
  python3 - "$logs" <<'END'
import pathlib, re, sys
logs = pathlib.Path(sys.argv[1])
passed = failed = skipped = 0
for log in logs.glob("*-*.log"):
    text = log.read_text(errors="replace")
    passed += len(re.findall(r"^test .* ok$", text, re.M))
    failed += len(re.findall(r"^test .* FAILED$", text, re.M))
    skipped += len(re.findall(r"^test .* \.\.\. ignored", text, re.M))
julia = logs / "julia.log"
if julia.exists():
    found = re.search(r"^Test Summary: *\|(.*)\nTenon +\|(.*)$", julia.read_text(errors="replace"), re.M)
    counts = dict(zip(found[1].split(), map(int, found[2].split()))) if found else {}
    passed += counts.get("Pass", 0)
    failed += counts.get("Fail", 0) + counts.get("Error", 0)
    skipped += counts.get("Broken", 0)
broken = set((logs / "failures").read_text().split())
failed = max(failed, len(broken))  # a program that crashed has no count of its own
if broken:
    print("failed:", *sorted(broken))
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
END
}

started=$(date +%s)
seconds() { echo $(($(date +%s) - started)); }

case ${1:-} in
  --pack) shift; pack "$@" ;;
  *) run "$@" ;;
esac
