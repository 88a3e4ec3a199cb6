"""Packages of kernels: their operations as functions, made from the contract."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any, Mapping, Sequence

from . import _autograd, _raw
from ._arguments import Packed, Parameters
from ._array import Array
from ._creation import asarray
from ._device import Device, as_device
from ._errors import check
from ._handle import Handle, make
from ._integers import integer
from ._kernel import _blob
from ._library import lib
from ._stream import as_stream, stream_handle

_call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)(("tenon_operation_call", lib))


def _text(range_of_versions: str | None) -> bytes | None:
    return None if range_of_versions is None else range_of_versions.encode()


def _options(any_owner: bool, sha256: str | None, signed: bool = False, trusted: Sequence[str] = ()) -> Any:
    keys = (ctypes.c_char_p * max(len(trusted), 1))(*[key.encode() for key in trusted])
    return ctypes.byref(_raw.tenon_package_options(flags=_raw.TENON_PACKAGE_ANY_OWNER * any_owner | _raw.TENON_PACKAGE_SIGNED * signed,
                                                   sha256=sha256 and sha256.encode(), trusted_keys=keys, trusted_key_count=len(trusted)))


class Package(Handle):
    """A loaded package. Its operations are attributes and items: package.sigmoid(x), package["sigmoid"]."""

    _release = lib.tenon_package_release
    description: dict[str, Any]

    @classmethod
    def _of(cls, handle: Any) -> "Package":
        self = cls._own(handle)
        self.description = json.loads(_blob(make(lib.tenon_package_describe, self._handle)))
        self._operations = {}
        self.__doc__ = self.description["doc"]
        return self

    @property
    def name(self) -> str:
        return self.description["name"]

    @property
    def version(self) -> str:
        return self.description["version"]

    def __getitem__(self, name: str) -> "Operation":
        if name not in self._operations:
            self._operations[name] = Operation._of(make(lib.tenon_package_operation, self._handle, name.encode()))
        return self._operations[name]

    def __getattr__(self, name: str) -> "Operation":
        if name.startswith("_") or all(one["name"] != name for one in self.description["operations"]):
            raise AttributeError(f"{self!r} has no operation {name!r}; it has: {', '.join(dir(self))}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [one["name"] for one in self.description["operations"]]

    def file(self, path: str) -> str:
        """A file of the package as text."""
        return _blob(make(lib.tenon_package_file, self._handle, path.encode())).decode()

    def prepare(self, device: Any = None) -> None:
        """Compiles its kernels for a device, in parallel, for every dtype their contracts allow."""
        check(lib.tenon_package_prepare(self._handle, as_device(device)._handle))

    def reload(self) -> "Package":
        """Reads its path again; the new package, which has taken its place, or the same content."""
        fresh = Package._of(make(lib.tenon_package_reload, self._handle))
        _found.clear()
        return fresh

    def unload(self) -> None:
        """Takes it out of the registry. Operations that are held go on working."""
        check(lib.tenon_package_unload(self._handle))
        _found.clear()

    def __repr__(self) -> str:
        return f"<tenon package {self.name} {self.version} from {self.description['origin']}>"


class Operation(Handle):
    """An operation of a package, called as a function: inputs and scalars in the contract's order or by name; outputs are made,
    or given by out=. Arrays are anything with DLPack; where the first is a PyTorch tensor the results are such, too, and PyTorch can
    differentiate through the operation where its contract names a gradient."""

    _release = lib.tenon_operation_release
    description: dict[str, Any]

    @classmethod
    def _of(cls, handle: Any) -> "Operation":
        self = cls._own(handle)
        self.description = json.loads(_blob(make(lib.tenon_operation_describe, self._handle)))
        self.__name__ = self.description["name"]
        self._parameters = Parameters(f"{self.description['package']}/{self.__name__}", self.description["parameters"],
                                      self.description.get("follows", {}))
        self._gradient = None
        self.__signature__ = self._parameters.signature
        self.__doc__ = _documentation(self.description)
        return self

    def __call__(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> Any:
        """Runs it. The output, a tuple of several, or None where there is none (of an inout parameter)."""
        values = self._parameters.bind(args, keywords)
        like_torch = _is_torch(values.get(self._parameters.first))
        if like_torch:
            names = _autograd.tracked(self, values) if out is None else []
            if names:
                results = _autograd.apply(self, lambda inner: self._run(inner, True, None, stream), values, names)
                return results[0] if len(results) == 1 else results
            values = _autograd.detached(values)
        results = self._run(values, like_torch, out, stream)
        return results[0] if len(results) == 1 else tuple(results) or None

    def _run(self, values: Mapping[str, Any], like_torch: bool, out: Any, stream: Any) -> Sequence[Any]:
        packed, outputs, on = self._pack(values, out, stream)
        check(_call(self._handle, packed.address, self._parameters.count, stream_handle(on)))
        if out is not None:
            return _listed(out)
        return [_as_torch(one) for one in outputs] if like_torch else outputs

    def bind(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> "BoundOperation":
        """Checks and evaluates once what calls would each time. bound() launches; bound.outputs are what it writes."""
        packed, outputs, on = self._pack(self._parameters.bind(args, keywords), out, stream)
        return BoundOperation._of(make(lib.tenon_operation_bind, self._handle, packed.buffer, self._parameters.count, stream_handle(on)), outputs)

    def prepare(self, *args: Any, **keywords: Any) -> None:
        """Compiles what a call with these arguments needs, and launches nothing."""
        packed = self._parameters.pack(self._parameters.bind(args, keywords))
        check(lib.tenon_operation_prepare(self._handle, packed.buffer, self._parameters.count))

    def test(self, device: Any = None) -> dict[str, Any]:
        """Runs the contract's self-tests on a device: {"passed", "failed", "cases": [...]}."""
        return json.loads(_blob(make(lib.tenon_operation_test, self._handle, as_device(device)._handle)))

    def measure(self, device: Any = None, *, types: str | None = None, seconds: float = 0, **given: Any) -> dict[str, Any]:
        """How long it takes on a device: the contract's `bench` cases, else its tests, or what is given: measure(x="normal(1000, 1000)",
        sigma=3, types="T=float32"). {"cases": [{"milliseconds", "gigabytes_per_second", ...}]}."""
        return self._measured(lib.tenon_operation_measure, device, types, seconds, given)

    def tune(self, device: Any = None, *, types: str | None = None, seconds: float = 0, **given: Any) -> dict[str, Any]:
        """Searches the values of its tunables on a device, for as long as `seconds`, and keeps the best as records for later calls
        like these, in every process. Arguments as for measure."""
        return self._measured(lib.tenon_operation_tune, device, types, seconds, given)

    def _measured(self, function: Any, device: Any, types: str | None, seconds: float, given: Mapping[str, Any]) -> dict[str, Any]:
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in given.values()]
        names, values = ((ctypes.c_char_p * max(len(given), 1))(*[text.encode() for text in list]) for list in (given, texts))
        options = _raw.tenon_measure_options(given_count=len(given), given_names=names, given_values=values, types=_text(types), seconds=seconds)
        return json.loads(_blob(make(function, self._handle, as_device(device)._handle, ctypes.byref(options))))

    @property
    def gradient(self) -> "Operation | None":
        """The operation that computes its vector-Jacobian product."""
        if self._gradient is None and self.description["gradient"] is not None:
            self._gradient = Operation._of(make(lib.tenon_operation_gradient, self._handle))
        return self._gradient

    @property
    def tunables(self) -> Mapping[str, int]:
        """What its tunables are now; set_tunable changes one."""
        return {name: self._tunable(name) for name in self.description["tunables"]}

    def _tunable(self, name: str) -> int:
        out = ctypes.c_int64()
        check(lib.tenon_operation_get_tunable(self._handle, name.encode(), ctypes.byref(out)))
        return out.value

    def set_tunable(self, name: str, value: int) -> None:
        """One of the contract's values, for all later calls."""
        check(lib.tenon_operation_set_tunable(self._handle, name.encode(), integer(value, name)))

    def _pack(self, values: Mapping[str, Any], out: Any, stream: Any) -> tuple[Packed, Sequence[Array], Any]:
        """The arguments, outputs among them: those that are given, or new ones; and the stream."""
        packed = self._parameters.pack(values)
        if stream is not None:
            stream = as_stream(stream, next((one.device for one in packed.keep if isinstance(one, Array)), None) or Device())
        if out is None:
            return packed, self._parameters.make(packed, self._handle, stream_handle(stream)), stream
        outputs = [one if isinstance(one, Array) else asarray(one, copy=False) for one in _listed(out)]
        if len(outputs) != len(self._parameters.outputs):
            raise TypeError(f"{self.__name__} has {len(self._parameters.outputs)} outputs; {len(outputs)} were given")
        self._parameters.give(packed, outputs)
        return packed, outputs, stream

    def __repr__(self) -> str:
        return f"<tenon operation {self.description['package']}/{self.__name__}{self.__signature__}>"


class BoundOperation(Handle):
    """Calling it launches. One thread at a time."""

    __slots__ = ("outputs",)
    _release = lib.tenon_bound_release
    outputs: list[Array]

    @classmethod
    def _of(cls, handle: Any, outputs: list[Array]) -> "BoundOperation":
        self = cls._own(handle)
        self.outputs = outputs
        return self

    def __call__(self, stream: Any = None) -> None:
        if stream is not None:
            stream = as_stream(stream, self.outputs[0].device)
        check(lib.tenon_bound_launch(self._handle, stream_handle(stream)))


def _listed(out: Any) -> tuple[Any, ...]:
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def _is_torch(value: Any) -> bool:
    return type(value) is not Array and type(value).__module__.split(".")[0] == "torch"


def _as_torch(array: Array) -> Any:
    return sys.modules["torch"].from_dlpack(array)


def _documentation(description: Mapping[str, Any]) -> str:
    lines = [description["doc"], ""]
    for one in description["parameters"]:
        kind = one["type"] if "choices" not in one else "one of " + ", ".join(one["choices"])
        lines.append(f"    {one['name']} ({one['role']}, {kind})" + (f": {one['doc']}" if one["doc"] else ""))
    for name, dtypes in description["types"].items():
        lines.append(f"    {name}: {', '.join(dtypes)}")
    return "\n".join(lines).strip()


_found: dict[str, Package] = {}


def load(path: Any, *, any_owner: bool = False, sha256: str | None = None, signed: bool = False, trusted: Sequence[str] = ()) -> Package:
    """Loads a package from a directory or a tar file, or one of host code from a shared object by its absolute path; tenon.ops.NAME
    finds it from then on. any_owner: files that others own or can write are taken too. sha256: the content hash it must have (of a
    shared object, the file's). signed: a signature by a key of the user's trust list or of `trusted` is required."""
    function = lib.tenon_plugin_load if str(path).endswith(".so") else lib.tenon_package_load
    package = Package._of(make(function, None, str(path).encode(), _options(any_owner, sha256, signed, trusted)))
    _found.clear()
    return package


def load_bytes(data: bytes, name: str = "package.tar", *, sha256: str | None = None, signed: bool = False, trusted: Sequence[str] = ()) -> Package:
    """Loads a package from the bytes of a tar file."""
    package = Package._of(make(lib.tenon_package_load_memory, None, data, len(data), name.encode(), _options(False, sha256, signed, trusted)))
    _found.clear()
    return package


def new_signing_key() -> str:
    """A secret key, to sign packages with: keep it where only you can read it."""
    return _blob(make(lib.tenon_signing_key_create)).decode()


def public_key(secret: str) -> str:
    """The public key that belongs to a secret one: what others trust."""
    return _blob(make(lib.tenon_signing_key_public, secret.encode())).decode()


def sign(path: Any, secret: str) -> str:
    """The signature of a package: the text of the file plugin.sig, to be written beside its plugin.toml."""
    return _blob(make(lib.tenon_package_sign, str(path).encode(), secret.encode(), _options(False, None))).decode()


def check_package(path: Any, *, any_owner: bool = False) -> dict[str, Any]:
    """Reads and checks a package and keeps nothing: its description."""
    return json.loads(_blob(make(lib.tenon_package_check, None, str(path).encode(), _options(any_owner, None))))


def pack(path: Any, *, any_owner: bool = False) -> bytes:
    """A package as one tar file, with the hashes of its files: what load and load_bytes take."""
    return _blob(make(lib.tenon_package_pack, str(path).encode(), _options(any_owner, None)))


def find(name: str, versions: str | None = None) -> Package:
    """A package by name and a range of versions such as ">=1.2, <2": loaded, or on the search path."""
    return Package._of(make(lib.tenon_package_find, None, name.encode(), _text(versions)))


def packages() -> list[dict[str, Any]]:
    """Every loaded package and every one on the search path."""
    return json.loads(_blob(make(lib.tenon_package_list, None)))


def named(name: str) -> Package:
    """The package of that name that tenon.ops shows."""
    if name not in _found:
        _found[name] = find(name)
    return _found[name]
