"""Summarises the results of the test programs: tests/report.py BUILD_DIRECTORY MESON_STATUS [PYTEST_STATUS].

Reads the JUnit files of Meson (which contain GoogleTest's) and pytest, lists the failed tests and the skipped tests
with reasons, and ends with the line "N passed, N failed, N skipped". The exit statuses are arguments so that a run that
broke without recording a failure (a crash, a leak found at exit, nothing collected) still counts as a failure.
"""

import json
import pathlib
import sys
import textwrap
import xml.etree.ElementTree as xml
from collections import Counter, defaultdict


NO_REASON = "no reason given"


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = []                  # (name, first line)
        self.skipped = defaultdict(list)  # reason -> names

    def add_junit(self, path):
        """Adds all test cases of a JUnit file; returns the number of failures."""
        before = len(self.failed)
        for case in xml.parse(path).getroot().iter("testcase"):
            name = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
            bad = case.find("failure")
            if bad is None:
                bad = case.find("error")
            skip = case.find("skipped")
            if bad is not None:
                self.failed.append((name, first_line(bad)))
            elif skip is not None or case.get("result") == "skipped" or case.get("status") == "notrun":
                self.skipped[reason_of(case, skip)].append(name)
            else:
                self.passed += 1
        return len(self.failed) - before


def reason_of(case, skip):
    """Why a case was skipped: the reason it gave, else the last line that it printed."""
    if skip is None:
        return "disabled"
    reason = first_line(skip)
    if reason == NO_REASON:
        printed = "\n".join(case.findtext(stream) or "" for stream in ("system-out", "system-err")).strip()
        reason = printed.splitlines()[-1] if printed else NO_REASON
    return reason


def by_suite(names):
    """Full names of cases as pairs (suite, [case, "case (3 times)"]); the parameters of a case are only counted."""
    suites = defaultdict(Counter)
    for name in names:
        suite, _, case = name.split("[")[0].rpartition(".")
        suites[suite or "meson"][case.split("/")[0].strip()] += 1
    for suite, cases in sorted(suites.items()):
        yield suite, [case if count == 1 else f"{case} ({count} times)" for case, count in cases.items()]


def first_line(element):
    text = element.get("message") or element.text or ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # GoogleTest puts file:line first and the reason after it.
    if len(lines) > 1 and lines[0].rsplit(":", 1)[-1].isdigit():
        lines = lines[1:]
    return lines[0] if lines else NO_REASON


def add_meson(tally, directory, status):
    logs = directory / "meson-logs"
    junit, log = logs / "testlog.junit.xml", logs / "testlog.json"
    if not junit.exists():
        tally.failed.append(("meson test", f"wrote no report (exit status {status})"))
        return
    cases_failed = tally.add_junit(junit)
    # The JUnit file does not show a GoogleTest program that failed after all its cases had passed (a leak, a crash at
    # exit).
    programs = [json.loads(line) for line in log.read_text().splitlines() if line.strip()] if log.exists() else []
    bad = [p for p in programs if p.get("result") not in ("OK", "SKIP", "EXPECTEDFAIL")]
    if len(bad) > cases_failed or (status != 0 and cases_failed == 0):
        for program in bad or [{"name": "meson test", "result": f"exit status {status}"}]:
            tally.failed.append((program["name"], f"the program ended with {program['result']}"))


def add_pytest(tally, directory, status):
    reports = sorted(directory.glob("pytest*.xml"))  # one per run
    if not reports:
        tally.failed.append(("pytest", f"wrote no report (exit status {status}; see {directory / 'pytest.log'})"))
    elif sum([tally.add_junit(report) for report in reports]) == 0 and status != 0:
        tally.failed.append(("pytest", f"ended with exit status {status}"))


def main():
    directory, meson_status = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    tally = Tally()
    add_meson(tally, directory, meson_status)
    if len(sys.argv) > 3:
        add_pytest(tally, directory, int(sys.argv[3]))
    for reason, names in sorted(tally.skipped.items()):
        print(f"skipped, because {reason}:")
        for suite, cases in by_suite(names):
            print(textwrap.fill(f"{suite}: {', '.join(cases)}", 120, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))
    for name, reason in tally.failed:
        print(f"failed: {name}: {reason}")
    skipped = sum(len(names) for names in tally.skipped.values())
    print(f"{tally.passed} passed, {len(tally.failed)} failed, {skipped} skipped")
    return 1 if tally.failed or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
