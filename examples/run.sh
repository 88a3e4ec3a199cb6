#!/bin/sh
# examples/run.sh: from a fresh clone to the main job's report, in one command. Builds Tenon and runs the C example on the
# best device there is, one array through all of Tenon in C++, then the Python example on a photograph.
# Usage: sh examples/run.sh [DEVICE], DEVICE as "cpu:0".
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/setup.sh"

device=${1:-best}

set_up examples
# The tests are not built here, and GoogleTest is not asked for; where it is there, tests/run.sh finds the same configuration.
if has_module gtest; then tests=true; else tests=false; fi
targets="examples/c/tenon-main examples/cpp/tenon-cpp abi/python/_core.abi3.so"
meson_build "$build" -Dtests=$tests || die "the build failed"

status=0
say ''
"$build/examples/c/tenon-main" "$device" || status=1

say ''
TENON_PLUGIN_PATH=$root/kernels "$build/examples/cpp/tenon-cpp" || status=1

say ''
if pip_install numpy pillow scikit-image; then
  "$venv/bin/python" "$root/examples/python/main.py" "$device" || status=1
else
  say "the Python example was left out: numpy, pillow and scikit-image could not be installed (see $setup_log)"
fi
exit $status
