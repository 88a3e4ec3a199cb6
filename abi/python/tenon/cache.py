"""The cache of compiled programs: what it did, what it holds, and taking it along:

    tenon.cache.info().compiled
    tenon.cache.export("kernels.bundle")        # on a machine with the same compilers: tenon.cache.load("kernels.bundle")
    tenon.cache.clear(unused_seconds=30 * 86400)
"""

from __future__ import annotations

import ctypes as _ctypes
import json as _json
import os as _os
from dataclasses import dataclass as _dataclass
from typing import Any as _Any

from . import _raw
from ._errors import check as _check
from ._handle import make as _make
from ._integers import integer as _integer
from ._kernel import _blob
from ._library import lib as _lib

__all__ = ["Entry", "Info", "Tally", "clear", "entries", "export", "info", "load", "verify"]


def __dir__():
    return __all__

_MODES = {_raw.TENON_CACHE_DEFAULT: "on", _raw.TENON_CACHE_OFF: "off", _raw.TENON_CACHE_READ_ONLY: "read-only",
          _raw.TENON_CACHE_NO_COMPILE: "no-compile"}


@_dataclass(frozen=True)
class Info:
    """What the cache did in this process, and what is on disk now."""

    mode: str          # "on", "off", "read-only", "no-compile"
    directory: str     # "" where there is none
    limit_bytes: int
    entries: int       # on disk
    bytes: int         # that they take
    process_hits: int  # programs that were in the process
    disk_hits: int
    misses: int        # that were nowhere, or were to be compiled anew
    compiled: int
    failed: int
    waits: int         # for another thread or process that compiled the same
    damaged: int       # entries met that were not whole
    written: int
    not_written: int
    evicted: int       # to keep the limit


@_dataclass(frozen=True)
class Entry:
    """One entry on disk. What follows `used` is that of a program; an answer has its question as name."""

    key: str            # 32 hexadecimal digits, the file's name
    kind: str           # "program", "answer" (about a compiler), "foreign" (of another version of Tenon), "damaged"
    bytes: int
    used: float         # seconds since 1970
    name: str = ""      # of the source
    kernels: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    device: str = ""    # "cpu", "cuda"
    mode: str = ""      # "fast", "debug", "check"
    flags: int = 0
    architecture: str = ""
    compiler: str = ""
    source_bytes: int = 0


@_dataclass(frozen=True)
class Tally:
    """What a call went over; each says what it counts."""

    entries: int
    bytes: int
    damaged: int
    kept: int


def info() -> Info:
    """Counters of this process, and the directory with what it holds."""
    record = _raw.tenon_cache_info()
    _check(_lib.tenon_cache_get_info(None, _ctypes.byref(record)))
    values = {name: getattr(record, name) for name in Info.__dataclass_fields__}
    return Info(**{**values, "mode": _MODES.get(record.mode, str(record.mode)), "directory": _os.fsdecode(record.directory or b"")})


def entries() -> list[Entry]:
    """Every entry on disk, least recently used first."""
    out = []
    for row in _json.loads(_blob(_make(_lib.tenon_cache_list, None))):
        row = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        if "question" in row:
            row["name"] = row.pop("question")
        out.append(Entry(**{key: value for key, value in row.items() if key in Entry.__dataclass_fields__}))
    return out


def verify(remove: bool = False) -> Tally:
    """Reads every entry and computes its checksum again: `entries` were looked at, of which `damaged` are not whole; remove=True
    removes those."""
    return _tally(_lib.tenon_cache_verify, int(remove))


def export(path: str | _os.PathLike[str]) -> Tally:
    """Writes every whole program on disk to one file; `damaged` were left out. It holds the programs' sources too."""
    return _tally(_lib.tenon_cache_export, _os.fsencode(path))


def load(path: str | _os.PathLike[str]) -> Tally:
    """Puts the programs of an exported file into the cache on disk; `kept` were there already. A damaged file raises
    InvalidArgument, and nothing of it is taken. The programs will run with your rights: load what you trust."""
    return _tally(_lib.tenon_cache_import, _os.fsencode(path))


def clear(*, unused_seconds: float = 0, keep_bytes: int = 0) -> Tally:
    """Removes entries that were not used for so long (0: all), least recently used first, until the rest takes keep_bytes or
    fewer. clear() removes everything, and forgets what the process remembers of programs that nobody holds."""
    return _tally(_lib.tenon_cache_clear, unused_seconds, _integer(keep_bytes, "keep_bytes", _ctypes.c_uint64))


def _tally(function: _Any, *arguments: _Any) -> Tally:
    record = _raw.tenon_cache_tally()
    _check(function(None, *arguments, _ctypes.byref(record)))
    return Tally(record.entries, record.bytes, record.damaged, record.kept)
