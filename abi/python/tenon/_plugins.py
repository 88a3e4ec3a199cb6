"""Packages of kernels: their operations as functions, made from the contract."""

from __future__ import annotations

import ctypes
import inspect
import json
import sys
from typing import Any, Mapping, Sequence

from . import _autograd, _raw
from ._array import Array
from ._creation import asarray
from ._device import Device, as_device
from ._dtypes import BY_NAME, DType, as_dtype, pack_scalar
from ._errors import check
from ._handle import Handle, make
from ._kernel import _blob, _fill_scalar
from ._library import lib
from ._stream import as_stream, stream_handle


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
        self._parameters = self.description["parameters"]
        self._inputs = [one for one in self._parameters if one["role"] != "out"]
        self._outputs = [one for one in self._parameters if one["role"] == "out"]
        self._gradient = None
        self.__name__ = self.description["name"]
        self.__signature__ = _signature(self._inputs)
        self.__doc__ = _documentation(self.description)
        return self

    def __call__(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> Any:
        """Runs it. The output, a tuple of several, or None where there is none (of an inout parameter)."""
        values, like_torch = self._bound(args, keywords)
        if like_torch:
            names = _autograd.tracked(self, values) if out is None else []
            if names:
                results = _autograd.apply(self, lambda inner: self._run(inner, True, None, stream), values, names)
                return results[0] if len(results) == 1 else results
            values = _autograd.detached(values)
        results = self._run(values, like_torch, out, stream)
        return results[0] if len(results) == 1 else results or None

    def _run(self, values: Mapping[str, Any], like_torch: bool, out: Any, stream: Any) -> tuple[Any, ...]:
        packed, keep, on = self._pack(values, stream)
        outputs = self._made(packed, out, on)
        check(lib.tenon_operation_call(self._handle, packed, len(self._parameters), stream_handle(on)))
        del keep
        return tuple(_as_torch(one) if like_torch else one for one in outputs) if out is None else _listed(out)

    def bind(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> "BoundOperation":
        """Checks and evaluates once what calls would each time. bound() launches; bound.outputs are what it writes."""
        values, _ = self._bound(args, keywords)
        packed, keep, on = self._pack(values, stream)
        outputs = self._made(packed, out, on)
        handle = make(lib.tenon_operation_bind, self._handle, packed, len(self._parameters), stream_handle(on))
        del keep
        return BoundOperation._of(handle, outputs)

    def prepare(self, *args: Any, **keywords: Any) -> None:
        """Compiles what a call with these arguments needs, and launches nothing."""
        packed, keep, _ = self._pack(self._bound(args, keywords)[0], None)
        check(lib.tenon_operation_prepare(self._handle, packed, len(self._parameters)))
        del keep

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
        check(lib.tenon_operation_set_tunable(self._handle, name.encode(), value))

    def _bound(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            values = self.__signature__.bind(*args, **keywords).arguments
        except TypeError as error:
            raise TypeError(f"{self.description['package']}/{self.__name__}{self.__signature__}: {error}") from None
        first = next((values[one["name"]] for one in self._inputs if one["role"] != "scalar" and one["name"] in values), None)
        return values, type(first).__module__.split(".")[0] == "torch"

    def _pack(self, values: Mapping[str, Any], stream: Any) -> tuple[Any, list[Any], Any]:
        """One tenon_arg for each parameter, those of outputs empty; what has to live until the call; the stream."""
        packed, keep = (_raw.tenon_arg * max(len(self._parameters), 1))(), []
        decided: dict[str, DType] = {}
        device = None
        for index, one in enumerate(self._parameters):
            if one["role"] in ("in", "inout"):
                value = values[one["name"]]
                array = value if isinstance(value, Array) else asarray(value, copy=False if one["role"] == "inout" else None)
                keep.append(array)
                decided.setdefault(one["type"], array.dtype)
                device = device or array.device
                packed[index].kind, packed[index].value.array = _raw.TENON_ARG_ARRAY, array._handle
        for index, one in enumerate(self._parameters):
            if one["role"] == "scalar" and values.get(one["name"], _DEFAULT) is not _DEFAULT:
                self._pack_scalar(packed[index], one, values[one["name"]], decided, keep)
        if stream is not None:
            stream = as_stream(stream, device or Device())
        return packed, keep, stream

    def _pack_scalar(self, to: Any, one: Mapping[str, Any], value: Any, decided: dict[str, DType], keep: list[Any]) -> None:
        dtype = BY_NAME.get(one["type"]) or decided.get(one["type"]) or as_dtype(getattr(value, "dtype", type(value)))
        decided.setdefault(one["type"], dtype)
        if isinstance(value, str) and "choices" in one:
            if value not in one["choices"]:
                raise ValueError(f"{one['name']} of {self.__name__} is one of {', '.join(one['choices'])}, not {value!r}")
            value = one["choices"].index(value)
        try:
            if "shape" not in one:
                return _fill_scalar(to, dtype, pack_scalar(dtype, value))
            data = b"".join(pack_scalar(dtype, item) for item in (value if hasattr(value, "__iter__") else (value,)))
        except (TypeError, OverflowError) as error:
            raise type(error)(f"{one['name']} of {self.__name__}: {error}") from None
        buffer = ctypes.create_string_buffer(data, max(len(data), 1))
        keep.append(buffer)
        to.kind, to.size, to.value.bytes = _raw.TENON_ARG_BYTES, len(data), ctypes.addressof(buffer)

    def _made(self, packed: Any, out: Any, stream: Any) -> list[Array]:
        given = None if out is None else [one if isinstance(one, Array) else asarray(one, copy=False) for one in _listed(out)]
        if given is not None and len(given) != len(self._outputs):
            raise TypeError(f"{self.__name__} has {len(self._outputs)} outputs; {len(given)} were given")
        made = given or [Array._own(make(lib.tenon_operation_output, self._handle, packed, len(self._parameters), index, stream_handle(stream)))
                         for index in range(len(self._outputs))]
        left = iter(made)
        for index, one in enumerate(self._parameters):
            if one["role"] == "out":
                packed[index].kind, packed[index].value.array = _raw.TENON_ARG_ARRAY, next(left)._handle
        return made

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
        check(lib.tenon_bound_launch(self._handle, stream_handle(None if stream is None else as_stream(stream, self.outputs[0].device))))


class _Default:
    def __repr__(self) -> str:
        return "default"


_DEFAULT = _Default()


def _listed(out: Any) -> tuple[Any, ...]:
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def _as_torch(array: Array) -> Any:
    return sys.modules["torch"].from_dlpack(array)


def _default_of(one: Mapping[str, Any]) -> Any:
    """What a signature shows: a number where the default is one, else the expression's text."""
    class Shown(_Default):
        def __repr__(self) -> str:
            return one["default"]
    return Shown()


def _signature(inputs: Sequence[Mapping[str, Any]]) -> inspect.Signature:
    parameters, optional = [], False
    for one in inputs:
        optional = optional or "default" in one  # what follows a default is given by name
        parameters.append(inspect.Parameter(one["name"], inspect.Parameter.KEYWORD_ONLY if optional and "default" not in one
                                            else inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                            default=_default_of(one) if "default" in one else inspect.Parameter.empty))
    parameters.sort(key=lambda parameter: parameter.kind)
    return inspect.Signature(parameters)


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
