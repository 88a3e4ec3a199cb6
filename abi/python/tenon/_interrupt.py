"""Ctrl-C is heard while a kernel is compiled."""

from __future__ import annotations

import ctypes
import threading

from ._handle import after_fork
from ._library import load_helper, path

_hear = load_helper(path).tenon_python_hear_signals
_hear.argtypes = [ctypes.c_ulong]


@after_fork  # the thread that forked is the main thread of the child
def _hear_signals() -> None:
    _hear(threading.main_thread().ident)


_hear_signals()
