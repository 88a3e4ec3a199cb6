# tests/setup.sh: brings a machine to the point where Tenon builds and runs. Sourced by examples/run.sh and tests/run.sh,
# which set `root` (the source tree) first.
#
# What is missing is installed: distribution packages with apt-get (as root; otherwise the line to run is printed), Python
# packages into a private virtual environment, build/venv. What is there already is left alone, so a second run installs
# nothing. Everything said by the tools themselves goes to build/setup.log.

build=$root/build
venv=$build/venv
setup_log=$build/setup.log
ducc_version=0.42.0

say() { printf '%s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
die() { say "$0: $*" >&2; exit 1; }

# --- distribution packages -------------------------------------------------------------------------------------------

has_module() { have pkg-config && pkg-config --exists "$1" 2>/dev/null; }
has_library() { PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q "$1"; }
has_clang() {
  for version in -22 -21 -20 -19 -18 -17 -16 -15 -14 ''; do have "clang++$version" && return 0; done
  return 1
}
has_python_headers() {
  have python3 && python3 -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}
can_make_venv() { have python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; }
meson_is_new_enough() {
  have meson && python3 - "$(meson --version 2>/dev/null)" <<'END' 2>/dev/null
import sys
sys.exit(tuple(int(part) for part in sys.argv[1].split(".")[:2]) < (1, 0))
END
}

# The packages without which nothing builds. $1: "tests" when the tests are built too.
list_needed_packages() {
  { have g++ || have c++; } || echo g++
  have pkg-config || echo pkg-config
  { have python3 && can_make_venv; } || echo python3 python3-venv
  has_python_headers || echo python3-dev
  have ninja || echo ninja-build
  has_module libxxhash || echo libxxhash-dev
  has_module nlohmann_json || echo nlohmann-json3-dev
  has_module tomlplusplus || echo libtomlplusplus-dev
  if [ "$1" = tests ]; then has_module gtest || echo libgtest-dev; fi
}

# The packages without which a part is slower or missing: clang compiles CPU kernels best, OpenBLAS has gemm and svd; libhwy
# has the CPU's sorts; libzip and libpng are for .npz and .png files on the command line, libsodium for signed packages. Of the tests, abidiff.
list_wanted_packages() {
  meson_is_new_enough || echo meson
  if ! has_clang; then
    if apt-cache show clang-19 >/dev/null 2>&1; then echo clang-19; else echo clang; fi
  fi
  has_library libopenblas64.so.0 || echo libopenblas64-0-pthread
  has_library libsodium.so || echo libsodium23
  has_module libhwy || echo libhwy-dev
  has_module libzip || echo libzip-dev
  has_module libpng || echo libpng-dev
  has_library libopenblas.so.0 || echo libopenblas0-pthread
  if [ "$1" = tests ]; then have abidiff || echo abigail-tools; fi
}

apt_install() {
  say "installing with apt-get: $*"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$setup_log" 2>&1
}

install_packages() {
  needed=$(list_needed_packages "$1" | tr '\n' ' ')
  wanted=$(list_wanted_packages "$1" | tr '\n' ' ')
  [ -n "$needed$wanted" ] || return 0
  if have apt-get && [ "$(id -u)" = 0 ]; then
    # Something wanted that could not be had yesterday is not tried again on every run.
    if [ -z "$needed" ] && [ "$(cat "$build/.wanted" 2>/dev/null)" = "$wanted" ]; then return 0; fi
    apt-get update -q >>"$setup_log" 2>&1 || say "note: apt-get update failed; trying with the package lists that are here"
    wanted=$(list_wanted_packages "$1" | tr '\n' ' ')  # the fresh lists may know better ones
    # shellcheck disable=SC2086
    if [ -n "$needed" ]; then apt_install $needed || die "apt-get could not install $needed(see $setup_log)"; fi
    for package in $wanted; do
      apt_install "$package" || say "note: $package is not to be had here; going on without it"
    done
    list_wanted_packages "$1" | tr '\n' ' ' >"$build/.wanted"
  elif [ -n "$needed" ]; then
    die "packages are missing that only root can install; run this first: apt-get install $needed$wanted"
  elif [ "$(cat "$build/.wanted" 2>/dev/null)" != "$wanted" ]; then
    say "note: going on without $wanted(as root: apt-get install $wanted)"
    printf '%s' "$wanted" >"$build/.wanted"
  fi
}

# --- Python packages -------------------------------------------------------------------------------------------------

make_venv() {
  "$venv/bin/python" -c 'import pip' 2>/dev/null && return 0
  say "making a private Python environment: build/venv"
  rm -rf "$venv"
  python3 -m venv "$venv" >>"$setup_log" 2>&1 || die "python3 -m venv failed (see $setup_log)"
  # The package is used in place, from the source tree.
  site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' "$root/abi/python" >"$site/tenon-in-place.pth"
}

# Those of the given requirements that the environment lacks.
missing_python_packages() {
  "$venv/bin/python" - "$@" <<'END'
import importlib.metadata, sys
for requirement in sys.argv[1:]:
    name, _, version = requirement.partition("==")
    try:
        installed = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        installed = None
    if installed is None or (version and installed.split("+")[0] != version):
        print(requirement)
END
}

# Installs requirements together; returns non-zero when they cannot be had.
pip_install() {
  lacking=$(missing_python_packages "$@" | tr '\n' ' ')
  [ -n "$lacking" ] || return 0
  say "installing with pip into build/venv: $lacking"
  # shellcheck disable=SC2086
  "$venv/bin/python" -m pip install -q --disable-pip-version-check $lacking >>"$setup_log" 2>&1
}

# --- the build -------------------------------------------------------------------------------------------------------

# ducc0 (its FFT is BSD-licensed C++) comes as source from the package index; sets ducc to its folder or to nothing.
get_ducc() {
  ducc=$build/ducc0-$ducc_version
  [ -f "$ducc/src/ducc0/fft/fft.h" ] && return 0
  say "fetching the sources of ducc0 $ducc_version (FFT on the CPU) into build/"
  if "$venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps --no-binary ducc0 -d "$build" \
      "ducc0==$ducc_version" >>"$setup_log" 2>&1 && tar -xzf "$build/ducc0-$ducc_version.tar.gz" -C "$build" 2>>"$setup_log" &&
      [ -f "$ducc/src/ducc0/fft/fft.h" ]; then
    return 0
  fi
  say "note: ducc0 is not to be had here; building without FFT on the CPU"
  ducc=
}

# Julia is not in Debian 12, and Debian 11's runs there: its packages are unpacked into build/julia, without libraries that the
# system has, and nothing is installed.
get_julia() {
  have julia && return 0
  if [ ! -x "$build/julia/bin/julia" ] && ! unpack_julia; then
    say "note: Julia is not to be had here; going on without its tests"
    return 0
  fi
  PATH=$build/julia/bin:$PATH
}

# An apt with package lists of its own, for packages of another release of Debian that are unpacked and not installed.
own_apt() {  # folder of build/, release
  have apt-get && have dpkg-deb && [ -r /usr/share/keyrings/debian-archive-keyring.gpg ] || return 1
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Codename: bookworm' | head -n 1)
  [ -n "$archive" ] || return 1
  rm -rf "${build:?}/$1"
  mkdir -p "$build/$1/lists/partial" "$build/$1/archives/partial" "$build/$1/root"
  : >"$build/$1/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $2 main" >"$build/$1/sources.list"
  cat >"$build/$1/apt.conf" <<END
Dir::Etc::sourcelist "$build/$1/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferencesparts "-";
Dir::State::Lists "$build/$1/lists";
Dir::State::status "$build/$1/status";
Dir::Cache "$build/$1";
Debug::NoLocking "true";
END
  apt-get -c "$build/$1/apt.conf" update -q >>"$setup_log" 2>&1
}

# What own_apt's apt has downloaded into archives/.
unpack_archives() {  # folder of build/
  for package in "$build/$1"/archives/*.deb; do dpkg-deb -x "$package" "$build/$1/root" || return 1; done
  rm -rf "$build/$1/archives" "$build/$1/lists"
}

unpack_julia() {
  say "unpacking Julia of Debian 11 into build/julia"
  own_apt julia bullseye &&
    apt-get -c "$build/julia/apt.conf" install -y -q --download-only --no-install-recommends julia >>"$setup_log" 2>&1 &&
    unpack_archives julia || return 1
  mkdir -p "$build/julia/bin"
  libraries=$build/julia/root/usr/lib/x86_64-linux-gnu
  # The system's libunwind is not: Debian 12's crashes on the code that Julia compiles.
  PATH="$PATH:/sbin:/usr/sbin" ldconfig -p | sed -n 's/^\t\(lib[^ ]*\) .*/\1/p' | sort -u | grep -v '^libunwind\.' |
    while read -r name; do rm -f "$libraries/$name"; done
  for link in "$libraries"/julia/*; do  # those that pointed at what is the system's now
    [ -e "$link" ] || ln -sf "/usr/lib/x86_64-linux-gnu/$(basename "$(readlink "$link")")" "$link"
  done
  cat >"$build/julia/bin/julia" <<END
#!/bin/sh
LD_LIBRARY_PATH=$libraries:$libraries/julia\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} exec "$build/julia/root/usr/bin/julia" "\$@"
END
  chmod +x "$build/julia/bin/julia"
  "$build/julia/bin/julia" --startup-file=no -e 'using LinearAlgebra; exit(rand(3, 3) isa Matrix ? 0 : 1)' >>"$setup_log" 2>&1 ||
    { rm -f "$build/julia/bin/julia"; return 1; }
}

# The crates of the Rust features half, num-complex and ndarray, with those that they need, from Debian's packages of their
# sources, in build/crates: crates.io may be out of reach. ndarray is in no release of Debian yet.
get_crates() {
  have cargo || return 0
  [ -d "$build/crates/root/usr/share/cargo/registry" ] || unpack_crates || say "note: ndarray is not to be had here; going on without its tests"
}

unpack_crates() {
  say "unpacking the sources of ndarray, half and num-complex into build/crates"
  own_apt crates sid || return 1
  packages=
  for name in ndarray matrixmultiply rawpointer num-traits num-integer num-complex half cfg-if crunchy zerocopy zerocopy-derive \
      autocfg libm syn quote proc-macro2 unicode-ident; do packages="$packages librust-$name-dev"; done
  # shellcheck disable=SC2086
  (cd "$build/crates/archives" && apt-get -c "$build/crates/apt.conf" download $packages) >>"$setup_log" 2>&1 &&
    unpack_archives crates && return 0
  rm -rf "$build/crates"
  return 1
}

# Runs a long step: its title, where its output goes, the command.
follow() { "$venv/bin/python" "$root/tests/progress.py" "$@"; }

# With this ccache also caches what includes precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros

# Configures and compiles. $1: the build directory; the rest: Meson options. `targets` names what to build (all when empty).
targets=
meson_build() {
  directory=$1
  shift
  set -- "$@" "-Dducc=$ducc"
  mkdir -p "$directory"
  if [ ! -f "$directory/build.ninja" ]; then
    say "configuring $(basename "$directory")/"
    (cd "$root" && meson setup "$directory" "$@") >"$directory/configure.log" 2>&1 ||
      { tail -n 30 "$directory/configure.log"; return 1; }
  elif [ "$(cat "$directory/.options" 2>/dev/null)" != "$*" ]; then
    (cd "$root" && meson configure "$directory" "$@") >"$directory/configure.log" 2>&1 ||
      { tail -n 30 "$directory/configure.log"; return 1; }
  fi
  printf '%s\n' "$*" >"$directory/.options"
  # shellcheck disable=SC2086
  follow "building in $(basename "$directory")/" "$directory/compile.log" ninja -C "$directory" $targets ||
    { say "log: $directory/compile.log"; grep -E -A12 'FAILED:|error:' "$directory/compile.log" | head -n 80; return 1; }
}

# Everything up to a configured environment. $1: "examples" or "tests".
set_up() {
  mkdir -p "$build"
  if [ -f "$build/.root" ] && [ "$(cat "$build/.root")" != "$root" ]; then
    say "the source tree has moved since build/ was made: starting a new one"
    rm -rf "$build"
    mkdir -p "$build"
  fi
  printf '%s' "$root" >"$build/.root"
  : >"$setup_log"
  install_packages "$1"
  make_venv
  PATH=$venv/bin:$PATH  # Meson's python3 is then this one, with the packages in it
  export PATH
  meson_is_new_enough || pip_install meson || die "Meson 1.0 or later is needed (see $setup_log)"
  have ninja || pip_install ninja || die "ninja is needed (see $setup_log)"
  get_ducc
  if [ "$1" = tests ]; then get_julia; get_crates; fi
}
