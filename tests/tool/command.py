"""The `tenon` command that was built, for its tests: `tenon(...)` runs it as a shell would."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_LIBRARY", ROOT / "build/src/api/libtenon.so.1")).resolve().parents[2]
PROGRAM = BUILD / "src/tool/tenon"

# The exit codes of the man page.
DONE, FAILED, USAGE, MISSING = range(4)


def environment(**more):
    """This process's environment without the sanitizer's run-time (the command is linked with it) and user settings."""
    out = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "TENON_PLUGIN_PATH", "NO_COLOR")}
    return {**out, **more}


def run(*words, cwd=None, **variables):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, env=environment(**variables), capture_output=True, text=True, timeout=300)


def tenon(*words, cwd=None, **variables):
    """Runs the command, which must succeed, and returns its output."""
    done = run(*words, cwd=cwd, **variables)
    assert done.returncode == DONE, done.stdout + done.stderr
    return done.stdout


def tenon_json(*words, cwd=None, code=DONE, **variables):
    at = words.index("--") if "--" in words else len(words)
    done = run(*words[:at], "--json", *words[at:], cwd=cwd, **variables)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def fails(code, part, *words, cwd=None, **variables):
    """Checks that the command fails with the code, and prints the text only to standard error."""
    done = run(*words, cwd=cwd, **variables)
    assert (done.returncode, done.stdout) == (code, ""), done.stdout + done.stderr
    assert part in done.stderr, done.stderr
