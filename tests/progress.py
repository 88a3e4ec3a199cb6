"""Runs a step of tests/run.sh and reports its progress: progress.py TITLE LOG COMMAND ...

The command's output goes to LOG. Once a minute, or continuously on a terminal, a line reports the progress, the elapsed
time, and an estimate of the remaining time, from the previous run or else in proportion to the progress, once a tenth
is done: the longest tests begin first. It exits with the command's status.
"""
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

DONE = re.compile(rb"^ *(\d+)/(\d+) \S|\[(\d+)/(\d+)\]|\[ *(\d+)%\]", re.M)  # Meson's tests, ninja's steps, pytest's dots
EVERY = 60.0  # seconds between two lines without a terminal


def fraction(text: bytes) -> float | None:
    """The completed fraction, according to the last count in the text."""
    found = list(DONE.finditer(text))
    if not found:
        return None
    numbers = [int(group) for group in found[-1].groups() if group is not None]
    return numbers[0] / (numbers[1] if len(numbers) == 2 else 100)


def minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(seconds, 0):.0f} s"


def line(title: str, done: float | None, gone: float, before: float | None) -> str:
    left = before - gone if before and before > gone else gone / done - gone if done and done >= 0.1 else None
    share = "" if done is None else f", {done:.0%} done"
    return f"{title}: {minutes(gone)}{share}" + ("" if left is None else f", about {minutes(left)} left")


def main() -> int:
    title, log, *command = sys.argv[1:]
    log = Path(log)
    kept = log.parent / "durations.json"
    durations = json.loads(kept.read_text()) if kept.exists() else {}
    terminal = sys.stdout.isatty()
    start = said = time.monotonic()
    with open(log, "wb") as out:
        running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    while running.poll() is None:
        time.sleep(0.5)
        now = time.monotonic()
        if now - said >= (1 if terminal else EVERY):
            said = now
            with open(log, "rb") as written:
                written.seek(-min(log.stat().st_size, 4096), os.SEEK_END)
                text = line(title, fraction(written.read()), now - start, durations.get(title))
            print(f"\r\033[K{text}" if terminal else text, end="" if terminal else "\n", flush=True)
    gone = time.monotonic() - start
    print(f"{chr(13)}\033[K" * terminal + f"{title}: {minutes(gone)}", flush=True)
    if running.returncode == 0:
        kept.write_text(json.dumps(durations | {title: round(gone)}))
    return running.returncode if running.returncode >= 0 else 128 - running.returncode


if __name__ == "__main__":
    sys.exit(main())
