"""The cache of compiled programs: its statistics, its contents, and how to copy it to another machine:

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


def __dir__() -> list[str]:
    return __all__

_MODES = {_raw.TENON_CACHE_DEFAULT: "on", _raw.TENON_CACHE_OFF: "off", _raw.TENON_CACHE_READ_ONLY: "read-only",
          _raw.TENON_CACHE_NO_COMPILE: "no-compile"}


@_dataclass(frozen=True)
class Info:
    """Statistics of the cache in this process, and what is on disk now."""

    mode: str          # "on", "off", "read-only", "no-compile"
    directory: str     # "" if there is none
    limit_bytes: int
    entries: int       # on disk
    bytes: int         # size of the entries
    process_hits: int  # programs found in the process
    disk_hits: int
    misses: int        # programs not found, or to be compiled anew
    compiled: int
    failed: int
    waits: int         # waits for another thread or process that compiled the same program
    damaged: int       # incomplete entries encountered
    written: int
    not_written: int
    evicted: int       # entries removed to stay within the limit


@_dataclass(frozen=True)
class Entry:
    """One entry on disk. The attributes after `used` belong to programs; for an "answer", `name` is the question."""

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
    """Counts of the entries that a call processed; each call documents what it counts."""

    entries: int
    bytes: int
    damaged: int
    kept: int


def info() -> Info:
    """The counters of this process, and the directory with its contents."""
    record = _raw.tenon_cache_info()
    _check(_lib.tenon_cache_get_info(None, _ctypes.byref(record)))
    values = {name: getattr(record, name) for name in Info.__dataclass_fields__}
    return Info(**{**values, "mode": _MODES.get(record.mode, str(record.mode)),
                   "directory": _os.fsdecode(record.directory or b"")})


def entries() -> list[Entry]:
    """Every entry on disk, least recently used first."""
    out = []
    for found in _json.loads(_blob(_make(_lib.tenon_cache_list, None))):
        row: dict[str, _Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}
        if "question" in row:
            row["name"] = row.pop("question")
        out.append(Entry(**{key: value for key, value in row.items() if key in Entry.__dataclass_fields__}))
    return out


def verify(remove: bool = False) -> Tally:
    """Reads every entry and verifies its checksum: `entries` were read, of which `damaged` are incomplete; remove=True
    removes those."""
    return _tally(_lib.tenon_cache_verify, int(remove))


def export(path: str | _os.PathLike[str]) -> Tally:
    """Writes every intact program on disk to one file; `damaged` entries are left out. The file also contains the
    programs' sources."""
    return _tally(_lib.tenon_cache_export, _os.fsencode(path))


def load(path: str | _os.PathLike[str]) -> Tally:
    """Adds the programs of an exported file to the cache on disk; `kept` were there already. A damaged file raises
    InvalidArgument and adds nothing. The programs will run with your rights: load only files that you trust."""
    return _tally(_lib.tenon_cache_import, _os.fsencode(path))


def clear(*, unused_seconds: float = 0, keep_bytes: int = 0) -> Tally:
    """Removes entries that were not used for unused_seconds (0: any entries), least recently used first, until the rest
    takes at most keep_bytes. clear() removes everything, including programs in this process's memory that are not in
    use."""
    return _tally(_lib.tenon_cache_clear, unused_seconds, _integer(keep_bytes, "keep_bytes", _ctypes.c_uint64))


def _tally(function: _Any, *arguments: _Any) -> Tally:
    record = _raw.tenon_cache_tally()
    _check(function(None, *arguments, _ctypes.byref(record)))
    return Tally(record.entries, record.bytes, record.damaged, record.kept)
