#!/usr/bin/env python3
"""abi/packaging/debian.py: builds Debian packages from a build directory: libtenon1, libtenon-dev, python3-tenon and
tenon-tools. Usage: debian.py BUILD_DIRECTORY OUTPUT_DIRECTORY [COMPRESSION], where COMPRESSION is an argument for
dpkg-deb -Z.

The build may have any prefix, because the installed files are relocatable. SOURCE_DATE_EPOCH, if set, is the time of
all files, so that two builds give identical packages."""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# From the environment variables that Debian's own tools read.
MAINTAINER = "{} <{}>".format(os.environ.get("DEBFULLNAME", "The Tenon developers"),
                              os.environ.get("DEBEMAIL", "tenon@example.org"))

# The contents of the packages, in order: a file belongs to the package of the first matching pattern.
PACKAGES = {
    "tenon-tools": {
        "Section": "utils", "Depends": "libtenon1 (= {version}), {shared}",
        "Description": ("command of Tenon, for arrays and CUDA kernels",
                        "Runs kernels and operations on files of arrays, makes, checks, tests and measures packages "
                        "of kernels, and shows devices and the cache of compiled programs."),
        "files": ["bin/tenon", "share/man/man1/*", "share/bash-completion/**/*", "share/zsh/**/*", "share/fish/**/*"]},
    "python3-tenon": {
        "Section": "python", "Depends": "python3 (>= 3.11), libtenon1 (= {version}), {shared}",
        "Suggests": "python3-numpy",
        "Description": ("arrays and CUDA kernels shared between libraries, for Python",
                        "Arrays of NumPy, PyTorch, JAX and others without a copy, kernels from CUDA C on a GPU or "
                        "without one, linear algebra, Fourier transforms and packages of kernels."),
        "files": ["lib/python3*/**/*"]},
    "libtenon-dev": {
        "Section": "libdevel", "Depends": "libtenon1 (= {version})",
        "Description": ("arrays and CUDA kernels shared between languages, development files",
                        "Headers for C and C++, man pages and web pages, files for pkg-config and CMake, and the crates for Rust "
                        "and the package for Julia."),
        "files": ["include/**/*", "lib/*/pkgconfig/*", "lib/*/cmake/**/*", "lib/*/libtenon.so", "share/man/man3/*",
                  "share/doc/libtenon-dev/html/*", "share/cargo/**/*", "share/tenon/julia/**/*"]},
    "libtenon1": {
        "Section": "libs", "Depends": "{shared}",
        "Recommends": "clang-19 | clang | g++, libopenblas64-0-pthread | libopenblas0",
        "Description": ("arrays and CUDA kernels shared between languages",
                        "A library with a C interface: programs in different languages share arrays by DLPack and "
                        "run each other's kernels, which are CUDA C, on an NVIDIA GPU or, compiled by the host's C++ "
                        "compiler, on the CPU."),
        "files": ["lib/*/libtenon.so.1*", "share/tenon/kernels/**/*", "share/doc/libtenon1/*"]},
}
# Debian's own locations for some of the files.
MOVED = [(r"^lib/python3[^/]*/(?:site|dist)-packages/", "lib/python3/dist-packages/"),
         (r"^share/zsh/site-functions/", "share/zsh/vendor-completions/"),
         (r"^share/doc/tenon/html/", "share/doc/libtenon-dev/html/"),
         (r"^share/doc/tenon/", "share/doc/libtenon1/")]


def run(*command: object, **keywords) -> str:
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **keywords).stdout


def version() -> str:
    return re.search(r"version: '([^']*)'", (ROOT / "meson.build").read_text())[1]


def architecture() -> str:
    return run("dpkg", "--print-architecture").strip()


def triplet() -> str:
    return run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip() if shutil.which("dpkg-architecture") else \
        run("cc", "-dumpmachine").strip()


def installed(build: Path, place: Path) -> Path:
    """Installs the build and returns the directory of the prefix."""
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", place)
    options = json.loads((build / "meson-info/intro-buildoptions.json").read_text())
    prefix = next(item["value"] for item in options if item["name"] == "prefix")
    for file in place.rglob("tenon.pc"):
        file.write_text(re.sub(r"^prefix=.*", "prefix=/usr", file.read_text(), flags=re.M))
    for cache in list(place.rglob("__pycache__")):
        shutil.rmtree(cache)
    return place / prefix.lstrip("/")


def place_of(file: Path) -> str:
    path = str(file)
    libraries = f"lib/{triplet()}/"
    if path.startswith("lib64/") or re.match(r"lib/(libtenon|pkgconfig|cmake)", path):
        path = libraries + path.split("/", 1)[1]
    for pattern, replacement in MOVED:
        path = re.sub(pattern, replacement, path)
    return path


def matches(path: str, pattern: str) -> bool:
    regular = re.escape(pattern).replace(r"\*\*/\*", ".+").replace(r"\*", "[^/]*")
    return re.fullmatch(regular, path) is not None


def distribute(tree: Path, roots: dict[str, Path]) -> None:
    for file in sorted(path for path in tree.rglob("*") if path.is_symlink() or not path.is_dir()):
        path = place_of(file.relative_to(tree))
        owner = next((name for name, what in PACKAGES.items() if any(matches(path, p) for p in what["files"])), None)
        if owner is None:
            raise SystemExit(f"no package takes {path}: say in {__file__} which does")
        target = roots[owner] / "usr" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target, follow_symlinks=False)


def copyright_text() -> str:
    """The copyright file in Debian's machine-readable format, from the same table as the notices."""
    text = ("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: tenon\n\n"
            "Files: *\nCopyright: The Tenon developers\nLicense: Apache-2.0\n")
    texts = {}
    for item in json.loads((HERE / "components.json").read_text()):
        if item["text"]:
            texts[item["license"]] = (HERE / "licenses" / item["text"]).read_text()
        if item["text"] or item["license"] == "Apache-2.0":
            holders = "\n           ".join(item["copyright"])
            text += (f"\nFiles: {item['name']}\nCopyright: {holders}\nLicense: {item['license']}\n"
                     f"Comment: compiled into the library; {item['use']}.\n")
    text += ("\nLicense: Apache-2.0\n The text is in /usr/share/common-licenses/Apache-2.0 on Debian systems.\n")
    for name, words in texts.items():
        text += f"\nLicense: {name}\n" + "".join(f" {line or '.'}\n" for line in words.rstrip().split("\n"))
    return text


def changelog(when: int) -> str:
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(when))
    return f"tenon ({version()}) unstable; urgency=medium\n\n  * Version {version()}.\n\n -- {MAINTAINER}  {date}\n"


def pack(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text, 9, mtime=0))


def finish(name: str, root: Path, when: int) -> None:
    """Brings the files into the form that Debian requires: stripped, compressed, documented, with standard
    permissions."""
    documents = root / "usr/share/doc" / name
    documents.mkdir(parents=True, exist_ok=True)
    (documents / "copyright").write_text(copyright_text())
    (documents / "LICENSE").unlink(missing_ok=True)  # Debian provides it, and "copyright" refers to it
    pack(documents / "changelog.gz", changelog(when).encode())
    for page in list(root.glob("usr/share/man/man*/*")):
        if page.suffix != ".gz":
            pack(page.with_name(page.name + ".gz"), page.read_bytes())
            page.unlink()
    for file in root.rglob("*"):
        if not file.is_symlink():
            runs = file.is_dir() or file.parent.name == "bin"
            file.chmod(0o755 if runs else 0o644)
    for file in binaries(root):
        run("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", file)


def binaries(root: Path) -> list[Path]:
    return [file for file in root.rglob("*") if file.is_file() and not file.is_symlink() and
            file.read_bytes()[:4] == b"\x7fELF"]


def shared_libraries(root: Path, library: Path) -> str:
    """The packages of the linked libraries, without libtenon1, which is listed with its version separately."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text("Source: tenon\n\nPackage: any\nArchitecture: any\n")
        (Path(folder) / "shlibs.local").write_text("libtenon 1 libtenon1\n")
        words = [f"-e{file}" for file in binaries(root)]
        out = run("dpkg-shlibdeps", "-O", f"-L{folder}/shlibs.local", f"-l{library}", "--ignore-missing-info", *words,
                  cwd=folder)
    found = re.search(r"shlibs:Depends=(.*)", out)[1].split(", ")
    return ", ".join(word for word in found if not word.startswith("libtenon1"))


def control(name: str, root: Path, library: Path) -> str:
    what = PACKAGES[name]
    shared = shared_libraries(root, library) if binaries(root) else ""
    size = sum(file.lstat().st_size for file in root.rglob("*") if not file.is_dir()) // 1024 + 1
    text = (f"Package: {name}\nSource: tenon\nVersion: {version()}\nArchitecture: {architecture()}\n"
            f"Maintainer: {MAINTAINER}\nInstalled-Size: {size}\nSection: {what['Section']}\nPriority: optional\n")
    text += "Multi-Arch: same\n" if name == "libtenon1" else ""
    for field in ("Depends", "Recommends", "Suggests"):
        if field in what:
            text += f"{field}: {what[field].format(version=version(), shared=shared)}\n".replace(", \n", "\n")
    short, long = what["Description"]
    return text + f"Description: {short}\n" + textwrap.fill(long, 78, initial_indent=" ", subsequent_indent=" ") + "\n"


def describe(name: str, root: Path, library: Path) -> None:
    folder = root / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(control(name, root, library))
    files = sorted(file for file in root.rglob("*") if file.is_file() and folder not in file.parents)
    sums = run("md5sum", *(file.relative_to(root) for file in files if not file.is_symlink()), cwd=root)
    (folder / "md5sums").write_text(sums)
    if name == "libtenon1":
        (folder / "shlibs").write_text(f"libtenon 1 libtenon1 (>= {version()})\n")
        (folder / "triggers").write_text("activate-noawait ldconfig\n")
    for file in (folder, *folder.iterdir()):
        file.chmod(0o755 if file.is_dir() else 0o644)


def main() -> int:
    build, output = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    compression = sys.argv[3] if len(sys.argv) > 3 else "xz"
    when = int(os.environ.get("SOURCE_DATE_EPOCH", str(int(time.time()))))
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tree = installed(build, Path(folder) / "installed")
        roots = {name: Path(folder) / name for name in PACKAGES}
        distribute(tree, roots)
        library = roots["libtenon1"] / "usr/lib" / triplet()
        for name, root in roots.items():
            finish(name, root, when)
        for name, root in roots.items():
            describe(name, root, library)
            root.chmod(0o755)
            file = output / f"{name}_{version()}_{architecture()}.deb"
            run("dpkg-deb", f"-Z{compression}", "--root-owner-group", "--build", root, file, env=environment)
            print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
