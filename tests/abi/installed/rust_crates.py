"""The tests of the Rust crate with half, num-complex and ndarray, and clippy on it, where their sources are.

Usage: rust_crates.py CARGO MANIFEST FOLDER...   the first folder with crates in it replaces crates.io
"""

import os
import pathlib
import subprocess
import sys
import tomllib


def differences(plain, numeric):
    """What the two manifests of one crate say differently, beyond the optional dependencies."""
    for key in plain["package"].keys() | numeric["package"].keys():
        if plain["package"].get(key) != numeric["package"].get(key):
            yield f"package.{key}"
    optional = {name for name, about in numeric["dependencies"].items() if about.get("optional")}
    if plain["dependencies"] != {name: about for name, about in numeric["dependencies"].items() if name not in optional}:
        yield "dependencies"
    if plain["features"] != {name: on for name, on in numeric["features"].items() if name not in optional}:
        yield "features"
    if any(numeric["features"].get(name) != ["dep:" + name] for name in optional):
        yield "a feature per optional dependency"


def main(cargo, manifest, *folders):
    manifest = pathlib.Path(manifest)
    tables = [tomllib.loads(place.read_text()) for place in (manifest.parent.parent / "tenon/Cargo.toml", manifest)]
    found = list(differences(*tables))
    if found:
        sys.exit(f"the manifests of abi/rust/tenon and abi/rust/numeric differ in {', '.join(found)}")
    registry = next((folder for folder in folders if any(pathlib.Path(folder).glob("ndarray-*"))), None)
    if registry is None:
        print("the sources of the crate ndarray are in none of", *folders)
        sys.exit(77)
    # A lock file that was made with other sources is of no use here.
    manifest.with_name("Cargo.lock").unlink(missing_ok=True)
    config = ["--offline", "--quiet", "--manifest-path", str(manifest), "--features", "half,num-complex,ndarray",
              "--config", 'source.crates-io.replace-with="unpacked"', "--config", f"source.unpacked.directory={registry!r}"]
    steps = [["test", *config]]
    if subprocess.run([cargo, "clippy", "--version"], capture_output=True).returncode == 0:
        steps.append(["clippy", *config, "--all-targets", "--", "-D", "warnings"])
    for step in steps:
        done = subprocess.run([cargo, *step], env=os.environ)
        if done.returncode != 0:
            sys.exit(done.returncode)


main(*sys.argv[1:])
