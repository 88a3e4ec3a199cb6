#!/usr/bin/env python3
"""tests/abi/installed/debian.py: Debian packages of this build are made, installed by dpkg into an empty directory, and
used.
Usage: debian.py SOURCE_ROOT BUILD_ROOT [--lintian]; the last also runs lintian, which must report nothing."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = {"libtenon1", "libtenon-dev", "python3-tenon", "tenon-tools"}
TRIED = """
import tenon
device = tenon.Device("cpu")
assert tenon.asarray([1.0, 2.0], device=device).sum() == 3
assert "sigmoid" in repr(tenon.ops.elementwise.sigmoid)  # of the packages that are installed
"""


def run(*command: object, **keywords) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **keywords)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed(packages: list[Path], root: Path) -> None:
    """Installs the packages, with dpkg's own checks: no file is in two packages, and every field is valid."""
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    # Container images tell dpkg to leave documentation out; here it is wanted.
    run("dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--no-triggers", f"--log={root}/log",
        "--path-include=/usr/share/*", "-i", *packages)
    listed = run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${Package} ${Status}\n").splitlines()
    if {line.split()[0] for line in listed if line.endswith(" installed") or "triggers" in line} != NAMES:
        raise SystemExit(f"dpkg says {listed}")


def used(root: Path) -> None:
    library = next(root.glob("usr/lib/*/libtenon.so.1"))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("TENON_", "PYTHON", "LD_"))}
    print(run(root / "usr/bin/tenon", "--version", env=plain).strip())
    run(sys.executable, "-c", TRIED, env=plain | {"PYTHONPATH": str(root / "usr/lib/python3/dist-packages"),
                                                  "TENON_LIBRARY": str(library), "TENON_CACHE": "off"}, cwd=root)
    for file in ("usr/include/tenon/tenon.h", "usr/share/man/man3/tenon_gemm.3.gz", "usr/share/man/man1/tenon.1.gz",
                 "usr/share/doc/libtenon1/NOTICES", "usr/share/doc/libtenon1/copyright"):
        if not (root / file).exists():
            raise SystemExit(f"no package has {file}")


def main() -> int:
    source, build = Path(sys.argv[1]), sys.argv[2]
    lacking = [program for program in ("dpkg", "dpkg-deb", "dpkg-shlibdeps", "strip") if not shutil.which(program)]
    if lacking:
        print("not tried, because these are not installed:", *lacking)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        lintian = "--lintian" in sys.argv
        command = [sys.executable, source / "abi/packaging/debian.py", build, f"{folder}/packages"]
        packages = [Path(line) for line in run(*command, "xz" if lintian else "none").splitlines()]
        if lintian:  # without DEBEMAIL the maintainer's address is an example
            mail = [] if "DEBEMAIL" in os.environ else ["--suppress-tags",
                                                        "bogus-mail-host,bogus-mail-host-in-debian-changelog"]
            print(run("lintian", "--no-cfg", "--fail-on", "error,warning", "--allow-root", *mail, *packages))
        installed(packages, Path(folder) / "root")
        used(Path(folder) / "root")
    return 0


if __name__ == "__main__":
    sys.exit(main())
