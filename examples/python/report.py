"""The report of the examples: a line for each thing that was done and checked."""

import time

checks = []


def check(what, good, figure=""):
    """One line; what does not hold fails the program at its end."""
    checks.append(bool(good))
    print(f"  {what:<58} {figure:<24} {'ok' if good else 'WRONG'}")


def timed(work):
    """The result of work() and the milliseconds of its second call."""
    work()
    start = time.perf_counter()
    result = work()
    result.device.synchronize()
    return result, f"{1e3 * (time.perf_counter() - start):.2f} ms"


def exit_code():
    """Says whether all checks held; for sys.exit."""
    print("All checks held." if all(checks) else "Some checks FAILED.")
    return 0 if all(checks) else 1
