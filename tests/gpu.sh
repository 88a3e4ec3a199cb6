#!/bin/sh
# tests/gpu.sh: builds Tenon on a machine with a GPU, runs every test that can use it, then the benchmark table.
# The last lines are "N passed, N failed, N skipped" and the table.
#
# Usage: sh tests/gpu.sh [--tests | --bench [SECTION ...]]   on the machine with the GPU; it needs no network
#        sh tests/gpu.sh --python FILE [ARGUMENT ...]         builds the library only and runs that file of tests/python
#        sh tests/gpu.sh --memcheck                           the corpus of kernels under compute-sanitizer's four tools
#        sh tests/gpu.sh --pack                               before, where there is one: puts what that machine may lack
#                                                             (xxhash.h, nlohmann-json, toml++, ducc0's sources,
#                                                             Python's headers) into .travel/
# The sections of the table: host python copy gemm blas fft svd compile generated linalg image.
# What is not done after LIMIT seconds (3600) is ended, and counts as failed.
# Full logs go to $OUT if it is set, and stay in build-gpu/ in any case.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
travel=$root/.travel
build=$root/build-gpu
ducc_version=0.42.0
started=$(date +%s)
limit=${LIMIT:-3600}

say() { printf '%s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
seconds() { echo $(($(date +%s) - started)); }
left() { echo $(($limit * $1 / 100 - $(seconds))); }  # seconds until $1 per cent of the limit have passed
keep() { if [ -n "${OUT:-}" ]; then cp "$@" "$OUT"/ 2>/dev/null; fi; return 0; }
stop() { say "$*"; keep "$build"/*.log; say "0 passed, 1 failed, 0 skipped"; exit 1; }

# --- what travels ----------------------------------------------------------------------------------------------------

pack() {
  set -e
  rm -rf "$travel"
  mkdir -p "$travel/include" "$travel/debs"
  chmod 777 "$travel/debs"
  cd "$travel/debs"
  apt-get download -q libxxhash-dev nlohmann-json3-dev libtomlplusplus-dev libhwy-dev
  for deb in ./*.deb; do dpkg-deb -x "$deb" "$travel/debs/root"; done
  cp -r root/usr/include/xxhash.h root/usr/include/nlohmann root/usr/include/toml++ root/usr/include/hwy "$travel/include/"
  cd "$travel"
  rm -rf debs
  pack_python_headers
  python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary ducc0 -d "$travel" "ducc0==$ducc_version"
  tar -xzf "ducc0-$ducc_version.tar.gz"
  rm "ducc0-$ducc_version.tar.gz"
  mkdir -p "ducc0-$ducc_version.keep"
  cp -r "ducc0-$ducc_version/src" "ducc0-$ducc_version.keep/"
  cp "ducc0-$ducc_version"/LICENSE* "ducc0-$ducc_version.keep/" 2>/dev/null || true
  rm -rf "ducc0-$ducc_version"
  mv "ducc0-$ducc_version.keep" "ducc0-$ducc_version"
  say ".travel/: $(du -sh "$travel" | cut -f1)"
}

# Those of the stable interface: what is built with them runs with this Python and every later one.
pack_python_headers() {
  python3 - "$travel/include/python" <<'END'
import os, shutil, sys, sysconfig
include = sysconfig.get_path("include")
shutil.copytree(include, sys.argv[1], ignore=shutil.ignore_patterns("internal"))
own = os.path.join("/usr/include", sysconfig.get_config_var("MULTIARCH") or "", os.path.basename(include), "pyconfig.h")
if os.path.exists(own):  # Debian's pyconfig.h includes that of the machine
    shutil.copy(own, os.path.join(sys.argv[1], "pyconfig.h"))
END
}

# --- the build -------------------------------------------------------------------------------------------------------

# Lets Meson find the headers of .travel/ as packages, and answers for pkg-config where there is none.
write_package() {  # name, version
  mkdir -p "$build/pkgconfig"
  printf 'Name: %s\nDescription: headers\nVersion: %s\nCflags: -I%s\nLibs:\n' "$1" "$2" "$travel/include" >"$build/pkgconfig/$1.pc"
}

# As write_package, where the machine has not got the header or the package.
offer() {  # name, version, header
  if ! echo "#include <$3>" | c++ -std=c++17 -x c++ -fsyntax-only - 2>/dev/null || ! pkg-config --exists "$1" 2>/dev/null; then
    write_package "$1" "$2"
  fi
}

offer_travelled() {
  [ -d "$travel" ] || return 0
  offer libxxhash 0.8.1 xxhash.h
  offer nlohmann_json 3.11.2 nlohmann/json.hpp
  offer tomlplusplus 3.3.0 toml++/toml.h
  offer libhwy 1.0.3 hwy/highway.h
  PKG_CONFIG_PATH=$build/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PKG_CONFIG_PATH
  if ! have pkg-config && ! have pkgconf; then
    mkdir -p "$build/bin"
    cat >"$build/bin/pkg-config" <<'END'
#!/bin/sh
# Enough of pkg-config for header-only packages: reads NAME.pc from $PKG_CONFIG_PATH.
what=exists
name=
for word in "$@"; do
  case $word in
    --version) echo 0.29.2; exit 0 ;;
    --modversion) what=Version ;;
    --cflags) what=Cflags ;;
    --libs) what=Libs ;;
    --variable=*) what=none ;;
    --*) ;;
    *) name=${word%% *} ;;
  esac
done
file=${PKG_CONFIG_PATH%%:*}/$name.pc
[ -f "$file" ] || { echo "Package $name was not found" >&2; exit 1; }
case $what in
  exists|none) ;;
  *) sed -n "s/^$what: *//p" "$file" ;;
esac
END
    chmod +x "$build/bin/pkg-config"
    PATH=$build/bin:$PATH
    export PATH
  fi
}

compile() {
  mkdir -p "$build"
  offer_travelled
  ducc=
  [ -f "$travel/ducc0-$ducc_version/src/ducc0/fft/fft.h" ] && ducc=$travel/ducc0-$ducc_version
  headers=
  if ! python3 -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'; then
    [ -f "$travel/include/python/Python.h" ] && headers=$travel/include/python
  fi
  if [ ! -f "$build/build.ninja" ]; then
    (cd "$root" && meson setup "$build" -Dducc="$ducc" -Dpython_headers="$headers" -Dexamples="${EXAMPLES:-true}") \
      >"$build/configure.log" 2>&1 ||
      { tail -n 25 "$build/configure.log"; stop "configuring failed"; }
  fi
  # shellcheck disable=SC2086
  timeout "${COMPILE_LIMIT:-300}" ninja -C "$build" -k 0 $targets >"$build/compile.log" 2>&1
  compiled=$?
  if [ $compiled != 0 ]; then grep -E -A6 '^FAILED:| error: |undefined reference' "$build/compile.log" | head -n 60; fi
  [ -f "$build/src/api/libtenon.so.1" ] || stop "the library could not be built"
  if have g++; then
    g++ -std=c++20 -O2 -I"$root/include" "$root/tests/bench/native/gpu_host.cpp" -o "$build/gpu_host" -L"$build/src/api" -ltenon \
      -Wl,-rpath,"$build/src/api" -ldl -pthread >"$build/gpu_host.log" 2>&1 || { head -n 20 "$build/gpu_host.log"; compiled=1; }
  fi
  say "built after $(seconds) s"
}

# --- tests -----------------------------------------------------------------------------------------------------------

# The files of the Python tests with such a name, from the last name to the first: the longest are late in the alphabet.
python_tests() { find "$root/tests/python" -name "$1" -printf '%f\t%p\n' | sort -r | cut -f2; }

# The Python tests, several files at a time: what takes long there is compiling, not the GPU.
run_pytest() {
  export TENON_LIBRARY="$build/src/api/libtenon.so.1" PYTHONPATH="$root/abi/python${PYTHONPATH:+:$PYTHONPATH}"
  export XLA_PYTHON_CLIENT_PREALLOCATE=false  # JAX would take three quarters of the memory from the tests beside it
  if ! python3 -c 'import jax; jax.numpy.arange(2).block_until_ready()' >/dev/null 2>&1; then
    export JAX_PLATFORMS=cpu  # JAX is not there, or has no ptxas to compile with for the GPU
  fi
  python_tests 'test_*.py' | grep -v /test_huge | tr '\n' '\0' | timeout "$(left 92)" xargs -0 -n 1 -P 12 sh -c '
    name=$(basename "$1" .py)
    python3 -m pytest -q --no-header -p no:cacheprovider --junitxml="$0/pytest-$name.xml" -k "cuda or gpu or torch or cupy or jax" "$1" >"$0/pytest-$name.log" 2>&1
    status=$?
    [ $status = 5 ] || exit $status' "$build"
  pytest_status=$?  # 5: nothing in that file is for a GPU
  # This one needs nearly all of the memory.
  timeout "$(left 97)" python3 -m pytest -q --no-header -p no:cacheprovider --junitxml="$build/pytest-test_huge.xml" -k cuda \
    "$root/tests/python/arrays/test_huge.py" >"$build/pytest-test_huge.log" 2>&1 || pytest_status=1
  cat "$build"/pytest-*.log >"$build/pytest.log"
  rm "$build"/pytest-*.log
  return $pytest_status
}

run_tests() {
  rm -f "$build/meson-logs/testlog.junit.xml" "$build/meson-logs/testlog.json" "$build"/pytest*.xml
  run_pytest &
  pytest_process=$!
  : >"$build/packages.log"
  packages_failed=no
  # What can use a GPU: its own suite, and whatever runs on every device. The CPU's inner parts are not tested here, nor
  # whether texts compile for other architectures, which needs no GPU.
  timeout "$(left 92)" meson test -C "$build" --no-rebuild --print-errorlogs --num-processes 8 --no-suite cpu --no-suite texts >"$build/meson-test.log" 2>&1
  meson_status=$?
  if [ $meson_status != 0 ]; then grep -v -E '^ *[0-9]+/[0-9]+ .* (OK|SKIP) ' "$build/meson-test.log" | tail -n "${TAIL:-60}" | cut -c1-400; fi
  say "C and C++ tests done after $(seconds) s"
  wait $pytest_process
  pytest_status=$?
  if [ $pytest_status != 0 ]; then grep -E -A "${TAIL:-60}" '^=+ FAILURES|^=+ ERRORS' "$build/pytest.log" | head -n "${TAIL:-60}" | cut -c1-400; fi
  say "Python tests done after $(seconds) s"
  run_packages
  say "packages done after $(seconds) s"
  keep "$build"/*.log "$build"/meson-logs/testlog.txt
  python3 "$root/tests/report.py" "$build" $meson_status $pytest_status >"$build/report.txt"
  keep "$build/report.txt"
  summary=$(grep '^skipped' "$build/report.txt" | head -n 12 | cut -c1-160; grep '^failed' "$build/report.txt" | head -n 40 | cut -c1-240
    tail -n 1 "$build/report.txt")
  if [ $compiled != 0 ]; then say "note: something beside the library did not compile, see above"; fi
}

# One file of the Python tests; what follows goes to pytest.
run_file() {
  export TENON_LIBRARY="$build/src/api/libtenon.so.1" PYTHONPATH="$root/abi/python${PYTHONPATH:+:$PYTHONPATH}"
  file=$(python_tests "$(basename "$1")")
  [ -n "$file" ] || stop "tests/python has no file $1"
  shift
  timeout "$(left 97)" python3 -m pytest -q --no-header -p no:cacheprovider "$file" "$@" >"$build/pytest.log" 2>&1
  [ $? = 0 ] || packages_failed=yes
  tail -n "${TAIL:-60}" "$build/pytest.log" | cut -c1-300
  keep "$build/pytest.log"
}

# The packages' own tests, on the GPU; each prints what it counted.
run_packages() {
  for package in "$root"/kernels/*/; do
    timeout "$(left 97)" "$build/src/tool/tenon" plugin test "$package" --device cuda:0 >"$build/package.log" 2>&1
    package_status=$?
    cat "$build/package.log" >>"$build/packages.log"
    [ $package_status = 0 ] || { grep -v '^passed' "$build/package.log" | head -n 20; packages_failed=yes; }
    tail -n 1 "$build/package.log"
  done
}

# --- the table -------------------------------------------------------------------------------------------------------

# One program of tests/bench with its limit in per cent of the whole; its table is added to bench.txt.
bench_program() {  # per cent, name, arguments
  until=$1 name=$2
  shift 2
  TENON_LIBRARY=$build/src/api/libtenon.so.1 PYTHONPATH=$root/abi/python${PYTHONPATH:+:$PYTHONPATH} \
    timeout -k 15 "$(left "$until")" python3 "$root/tests/bench/$name.py" --json "$build/$name.json" "$@" >>"$build/bench.txt" 2>>"$build/bench.log"
  [ $? != 124 ] || echo "$name ran out of time; what it had is in $name.json" >>"$build/bench.txt"
  keep "$build/$name.json"
}

run_bench() {
  : >"$build/bench.txt"
  : >"$build/bench.log"
  [ $# -gt 0 ] || set -- host python copy gemm blas fft svd compile generated linalg image
  sections=
  for section; do
    case $section in compile|generated|linalg|image) ;; *) sections="$sections $section" ;; esac
  done
  # shellcheck disable=SC2086
  [ -z "$sections" ] || bench_program 80 bench_gpu --host "$build/gpu_host" --only $sections
  case " $* " in *' compile '*) bench_program 83 bench_compile --device cuda:0 ;; esac
  case " $* " in *' generated '*) bench_program 90 bench_generated --device cuda:0 ;; esac
  case " $* " in *' linalg '*) bench_program 97 bench_linalg --device cuda:0 --seconds 0.4 ;; esac
  case " $* " in *' image '*) bench_program 99 bench_image --device cuda:0 ;; esac
  keep "$build/bench.txt" "$build/bench.log"
}

# --- compute-sanitizer -----------------------------------------------------------------------------------------------

# The corpus of kernels under each tool. What a tool finds fails the run; kernels that are faulty on purpose are no part of it.
run_memcheck() {
  have compute-sanitizer || stop "compute-sanitizer is missing; it comes with the CUDA Toolkit"
  summary="0 failed,"
  for tool in memcheck racecheck initcheck synccheck; do
    timeout "$(left 99)" compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/tests/kernels/kernels_test" --gtest_filter='*/cuda' \
      >"$build/$tool.log" 2>&1
    status=$?
    keep "$build/$tool.log"
    if [ $status != 0 ]; then
      summary="1 failed,"
      grep -E -A8 '^=========' "$build/$tool.log" | head -n 40 | cut -c1-200
    fi
    say "$tool after $(seconds) s: exit status $status; $(grep -E '=+ (ERROR|RACECHECK) SUMMARY' "$build/$tool.log" | tail -n 1); $(grep -E '^\[  (PASSED|SKIPPED|FAILED) ' "$build/$tool.log" | head -n 3 | tr '\n' ' ')"
  done
}

main() {
  if [ "${1:-}" = --pack ]; then pack; exit 0; fi
  export TENON_CACHE_DIR="$build/cache"
  have python3 || stop "python3 is missing"
  have meson || stop "Meson is missing"
  summary=
  mode=${1:-}
  targets=
  [ "$mode" != --python ] || targets="library abi/python/_core.abi3.so"
  compile
  case $mode in
    --tests) run_tests ;;
    --bench) shift; run_bench "$@" ;;
    --memcheck) run_memcheck ;;
    --python) shift; run_file "$@" ;;
    '') run_tests; run_bench ;;
    *) sed -n '5,13s/^# //p' "$0"; exit 2 ;;
  esac
  if [ -n "$summary" ]; then say "$summary"; fi
  case $mode in
    ''|--bench)
      grep -v '^note: section' "$build/bench.log" | tail -n 25 | cut -c1-300
      cat "$build/bench.txt" ;;
  esac
  [ "${packages_failed:-no}" = no ] || exit 1
  case " $summary" in *" 0 failed,"*|' ') exit 0 ;; *) exit 1 ;; esac
}

main "$@"
