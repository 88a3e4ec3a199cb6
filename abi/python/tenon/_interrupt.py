"""Lets Ctrl-C interrupt the compilation of a kernel."""

from __future__ import annotations

import threading

from ._handle import after_fork
from ._library import core


@after_fork  # the thread that forked is the main thread of the child
def _hear_signals() -> None:
    core.hear_signals(threading.main_thread().ident or 0)


_hear_signals()
