#!/usr/bin/env python3
"""tests/abi/installed/install.py: what `ninja install` installs is complete, and programs outside the source tree build
with it, by CMake and by pkg-config. Usage: install.py SOURCE_ROOT BUILD_ROOT PREFIX COMPILER..."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

C_PROGRAM = """
#include <stdio.h>
#include <tenon/tenon.h>
int main(void) {
  tenon_operation* operation = NULL;
  int32_t status = tenon_operation_find(NULL, "elementwise/sigmoid", NULL, &operation);
  if (status) fprintf(stderr, "%s\\n", tenon_error_last_message());
  tenon_operation_release(operation);
  return status;
}
"""
CXX_PROGRAM = """
#include <tenon/tenon.hpp>
int main() {
  const auto zeros = tenon::array<float, 1>::zeros(tenon::context().device("cpu"), {3});
  return zeros.to_vector().size() == 3 ? 0 : 1;
}
"""
CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(consumer C CXX)
find_package(Tenon 2.0 QUIET)
if(Tenon_FOUND)
  message(FATAL_ERROR "a version 2.0 was found")
endif()
find_package(Tenon 1.0 QUIET COMPONENTS library nonsense)
if(Tenon_FOUND OR NOT Tenon_NOT_FOUND_MESSAGE MATCHES "no component nonsense")
  message(FATAL_ERROR "a component nonsense was found: ${Tenon_NOT_FOUND_MESSAGE}")
endif()
find_package(Tenon 1.0 REQUIRED COMPONENTS library cxx tool kernels)
if(NOT EXISTS ${Tenon_KERNELS_DIR}/elementwise/plugin.toml OR NOT Tenon_ABI_LEVEL STREQUAL "1.1")
  message(FATAL_ERROR "kernels ${Tenon_KERNELS_DIR}, level ${Tenon_ABI_LEVEL}")
endif()
add_executable(in_c main.c)
target_link_libraries(in_c Tenon::tenon)
add_executable(in_cxx main.cpp)
target_link_libraries(in_cxx Tenon::cxx)
add_custom_target(versions ALL Tenon::tool --version)
"""


def run(*command: object, **keywords) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **keywords)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(there: bool, what: object) -> None:
    if not there:
        raise SystemExit(f"not so: {what}")


def check_files(source: Path, build: Path, tree: Path) -> None:
    for header in (source / "include").rglob("*.h*"):
        expect((tree / "include" / header.relative_to(source / "include")).exists(), f"{header.name} is installed")
    for crate in ("tenon-[0-9]*", "tenon-sys-*"):
        for file in ("src/lib.rs", ".cargo-checksum.json", "Cargo.toml"):
            expect(list(tree.glob(f"share/cargo/registry/{crate}/{file}")), f"{file} of the crate {crate} is installed")
    expect("path =" not in next(tree.glob("share/cargo/registry/tenon-[0-9]*/Cargo.toml")).read_text(),
           "the installed crate finds tenon-sys by its version")
    notices = (tree / "share/doc/tenon/NOTICES").read_text()
    bill = json.loads((tree / "share/doc/tenon/tenon.spdx.json").read_text())
    for part in bill["packages"][1:]:
        expect(part["versionInfo"] and f"{part['name']} {part['versionInfo']}:" in notices,
               f"the notices have {part['name']}")
        license = part["licenseDeclared"]
        known = "exception" in license or license == bill["packages"][0]["licenseDeclared"]  # Tenon's own: LICENSE
        expect(known or f"\n{license}\n\n" in notices, f"the notices have the text of {license}")
    expect(len(bill["packages"]) > 4, "the bill of materials lists what is compiled in")
    for page in ("tenon_gemm", "tenon-linalg"):
        expect(".SH DESCRIPTION" in (tree / f"share/man/man3/{page}.3").read_text(), f"{page}(3) is installed")
    options = json.loads((build / "meson-info/intro-buildoptions.json").read_text())
    if next(option["value"] for option in options if option["name"] == "manual") == "enabled":
        expect("tenon_gemm" in (tree / "share/doc/tenon/html/linalg.html").read_text(), "the HTML manual is installed")
    for wanted in ("share/tenon/julia/Tenon/src/Tenon.jl", "share/tenon/kernels/*/plugin.toml"):
        expect(list(tree.glob(wanted)), f"{wanted} is installed")


def check_pkg_config(tree: Path, work: Path, prefix: str, destination: Path, compiler: list[str]) -> None:
    if not shutil.which("pkg-config"):
        print("pkg-config is not installed: its file was not tried")
        return
    directory = next(tree.rglob("tenon.pc")).parent
    env = {**os.environ, "PKG_CONFIG_PATH": str(directory), "PKG_CONFIG_SYSROOT_DIR": str(destination),
           "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
    kernels, level = (run("pkg-config", f"--variable={name}", "tenon", env=env).strip() for name in ("kernelsdir",
                                                                                                    "abi_level"))
    expect(kernels.endswith(f"{prefix}/share/tenon/kernels") and level == "1.1", f"{kernels} at level {level}")
    flags = run("pkg-config", "--cflags", "--libs", "tenon", env=env).split()
    library = next(tree.rglob("libtenon.so.1"))
    run(*compiler, work / "main.c", *flags, f"-Wl,-rpath,{library.parent}", "-o", work / "by_hand")
    run(work / "by_hand", env=plain())


def check_cmake(tree: Path, work: Path) -> None:
    if not shutil.which("cmake"):
        print("cmake is not installed: find_package was not tried")
        return
    (work / "CMakeLists.txt").write_text(CMAKE_PROJECT)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", *generator, f"-DCMAKE_PREFIX_PATH={tree}", "-S", work, "-B", work / "built")
    run("cmake", "--build", work / "built")
    for program in ("in_c", "in_cxx"):
        run(work / "built" / program, env=plain())


def plain() -> dict[str, str]:
    """An environment without references to the source tree."""
    return {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "TENON_PLUGIN_PATH")}


def main() -> int:
    source, build, prefix, compiler = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        destination, work = Path(folder) / "installed", Path(folder) / "work"
        work.mkdir()
        (work / "main.c").write_text(C_PROGRAM)
        (work / "main.cpp").write_text(CXX_PROGRAM)
        run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", destination)
        tree = destination / prefix.lstrip("/")
        check_files(source, Path(build), tree)
        check_pkg_config(tree, work, prefix, destination, compiler)
        check_cmake(tree, work)
    print("what is installed is complete, and programs build with it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
