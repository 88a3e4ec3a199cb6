#!/bin/sh
# tests/run.sh: builds Tenon and runs every test; the last line says how many passed, failed and were skipped.
# Usage: sh tests/run.sh [--peers] [--sanitize | --threads]
#   --peers     first installs PyTorch (CPU) and JAX into build/venv, so that the tests of sharing arrays with them run
#   --sanitize  builds with the address and undefined-behaviour sanitizers in build-asan/ and runs the tests on that
#   --threads   builds the tests in which threads meet with ThreadSanitizer in build-tsan/ and runs those, and no others
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/setup.sh"

sanitize=no
threads=no
peers=no
for word in "$@"; do
  case $word in
    --sanitize) sanitize=yes ;;
    --threads) threads=yes ;;
    --peers) peers=yes ;;
    *) sed -n '3,6s/^# //p' "$0"; exit 2 ;;
  esac
done

# A step before the first test failed: that is one failure. Set-up reports its own through die.
die() { stop "$*"; }
stop() { say "$*"; say "0 passed, 1 failed, 0 skipped"; exit 1; }

set_up tests

if [ $threads = yes ]; then
  directory=$root/build-tsan
  names="base_parallel kernel_cache kernel_launch lifetime"
  targets="tests/unit/base_parallel_test tests/kernel/kernel_cache tests/kernel/kernel_launch tests/contract/lifetime_test
    tests/fake_cuda/12/libnvrtc.so.12 tests/fake_cuda/13/libnvrtc.so.13 tests/fake_cuda/13/libnvJitLink.so.13
    tests/fake_cuda/13/libcublas.so.13 tests/fake_cuda/13/libcublasLt.so.13 tests/fake_cuda/13/libcufft.so.12
    tests/fake_cuda/13/libcusolver.so.12"
  for name in threads fft matmul solver stream memory graph fault lost; do names="$names cuda_$name" targets="$targets tests/cuda/cuda_$name"; done
  for name in threads regressions contract model; do names="$names streams_$name" targets="$targets tests/streams/streams_$name"; done
  meson_build "$directory" -Dtests=true -Dbuildtype=debug -Doptimization=1 -Db_sanitize=thread -Db_lundef=false || stop "the build failed"
  say "running the tests in which threads meet"
  export TENON_CACHE_DIR="$directory/cache" TSAN_OPTIONS="halt_on_error=0:second_deadlock_stack=1:die_after_fork=0"
  # shellcheck disable=SC2086
  meson test -C "$directory" --no-rebuild --print-errorlogs --timeout-multiplier 10 $names >"$directory/meson-test.log" 2>&1
  meson_status=$?
  if [ $meson_status != 0 ]; then grep -v -E '^ *[0-9]+/[0-9]+ .* OK ' "$directory/meson-test.log" | tail -n 200; fi
  exec "$venv/bin/python" "$root/tests/report.py" "$directory" $meson_status
fi

# shellcheck disable=SC2046
pip_install numpy scipy pytest pytest-xdist pillow scikit-image libclang ml_dtypes mypy markdown-it-py \
  $("$venv/bin/python" "$root/tests/format.py" --tools) ||
  stop "the Python packages of the tests could not be installed (see $setup_log)"
if [ $peers = yes ]; then
  pip_install torch==2.13.0 || say "note: torch 2.13.0 is not to be had here; its tests will be skipped"
  # Beside the environment, where the other tests do not find it: what has no GPU has no NVRTC either.
  [ -d "$build/nvrtc/nvidia" ] ||
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --target "$build/nvrtc" nvidia-cuda-nvrtc==13.0.88 \
      >>"$setup_log" 2>&1 ||
    say "note: NVRTC is not to be had here; Tenon's own CUDA C is not compiled"
  TENON_TEST_NVRTC=$build/nvrtc/nvidia/cu13/lib
  export TENON_TEST_NVRTC
  pip_install jax || say "note: jax is not to be had here; its tests will be skipped"
  pip_install pyinstaller || say "note: PyInstaller is not to be had here; its test will be skipped"
  pip_install basedpyright || say "note: basedpyright is not to be had here; its test will be skipped"
fi

if [ $sanitize = yes ]; then
  directory=$root/build-asan
  # -O0, because optimising what the sanitizers insert takes more than half of the compile and saves less when the tests
  # run. -g1 has the lines that reports name.
  meson_build "$directory" -Dtests=true -Dbuildtype=debug -Doptimization=0 -Dc_args=-g1 -Dcpp_args=-g1 \
    -Db_sanitize=address,undefined -Db_lundef=false -Db_pch=false || stop "the build failed"
  # Python is not instrumented: the sanitizer's run-time library has to come first, and what Python itself leaks is not ours.
  preload=$(g++ -print-file-name=libasan.so):$(g++ -print-file-name=libubsan.so)
  export ASAN_OPTIONS="detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=0:abort_on_error=1"
  export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
else
  directory=$build
  meson_build "$directory" -Dtests=true || stop "the build failed"
fi

# Compiled kernels stay with the build, not in the home directory. Those of the plain run serve the sanitizers, too, which do not look
# into them; the tests of kernels compile their own.
export TENON_CACHE_DIR="$build/cache"
export TENON_STATUS_FILE="$directory/statuses.txt"  # what functions return, for tests/abi/test_statuses.py

rm -rf "$TENON_STATUS_FILE" "$directory/pytest-statuses.xml"
rm -rf "$directory/meson-logs/testlog.junit.xml" "$directory/meson-logs/testlog.json" "$directory/pytest.xml"

follow "C and C++ tests" "$directory/meson-test.log" \
  meson test -C "$directory" --no-rebuild --print-errorlogs --timeout-multiplier 4
meson_status=$?
if [ $meson_status != 0 ]; then grep -v -E '^ *[0-9]+/[0-9]+ .* OK ' "$directory/meson-test.log" | tail -n 120; fi

export TENON_LIBRARY="$directory/src/api/libtenon.so.1"
set -- "$venv/bin/python" -m pytest -q --no-header --durations=10 --junitxml="$directory/pytest.xml"
# First those that failed last time, then files from the newest to the oldest.
set -- "$@" -o cache_dir="$directory/pytest" --failed-first --new-first
# Most of their time goes into compiling one kernel after another: several processes share them.
set -- "$@" --numprocesses auto --maxprocesses 4 --dist worksteal
# A test that does not end is a failure with a traceback, not a run that never ends.
set -- "$@" -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true "$root/tests/python" "$root/tests/tool"
if [ $sanitize = yes ]; then
  set -- env LD_PRELOAD="$preload" PYTHONMALLOC=malloc ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" \
    "$@" -m "not peers and not examples"
fi
follow "Python tests" "$directory/pytest.log" "$@"
pytest_status=$?
if [ $pytest_status != 0 ]; then tail -n 150 "$directory/pytest.log"; fi

"$venv/bin/python" -m pytest -q --no-header -p no:cacheprovider --junitxml="$directory/pytest-statuses.xml" \
  "$root/tests/abi/test_statuses.py" >"$directory/statuses.log" 2>&1
statuses_status=$?
if [ $statuses_status != 0 ]; then cat "$directory/statuses.log"; pytest_status=$statuses_status; fi

exec "$venv/bin/python" "$root/tests/report.py" "$directory" $meson_status $pytest_status
