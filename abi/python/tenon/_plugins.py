"""Packages of kernels, whose operations become functions by their contract."""

from __future__ import annotations

import ctypes
import os
import warnings
from typing import Any, NamedTuple
from collections.abc import Iterable, Iterator, Mapping, Sequence

from . import _dynamo, _raw
from ._arguments import Packed, Parameters
from ._array import Array
from ._creation import target
from ._device import Device, as_device
from ._errors import NotFound, check
from ._handle import Handle, Renewed, after_fork, make
from ._integers import integer
from ._kernel import _blob
from ._library import core, lib
from ._stream import as_stream, stream_handle
from ._torch import detached_all, is_tensor, of_class, refuse_gradients, result, written


def _parsed(text: Any) -> Any:
    import json  # slow to import, and only needed when a package is loaded

    return json.loads(text)


def _text(range_of_versions: str | None) -> bytes | None:
    return None if range_of_versions is None else range_of_versions.encode()


def _options(any_owner: bool, sha256: str | None, signed: bool = False, trusted: Sequence[str] = ()) -> Any:
    keys = (ctypes.c_char_p * max(len(trusted), 1))(*[key.encode() for key in trusted])
    flags = _raw.TENON_PACKAGE_ANY_OWNER * any_owner | _raw.TENON_PACKAGE_SIGNED * signed
    return ctypes.byref(_raw.tenon_package_options(flags=flags, sha256=sha256 and sha256.encode(), trusted_keys=keys,
                                                   trusted_key_count=len(trusted)))


class _Recipe(NamedTuple):
    """How a package was loaded, so that another process can load the same one."""

    path: str | None
    data: bytes | None = None
    name: str = ""
    any_owner: bool = False
    signed: bool = False
    trusted: tuple[str, ...] = ()

    def load(self, sha256: str | None) -> Any:
        options = _options(self.any_owner, sha256, self.signed, self.trusted)
        if self.data is not None:
            return make(lib.tenon_package_load_memory, None, self.data, len(self.data), self.name.encode(), options)
        assert self.path is not None
        host = self.path.endswith(".so")
        return make(lib.tenon_plugin_load if host else lib.tenon_package_load, None, self.path.encode(), options)


class _Identity(NamedTuple):
    """Identifies a package, so that a pickled one, or one in a forked child, can be found again."""

    name: str
    version: str
    hash: str
    recipe: _Recipe | None

    def find(self) -> Any:
        """A handle to the package with exactly this content, from the registry or loaded again."""
        _restore()
        try:
            handle = make(lib.tenon_package_find, None, self.name.encode(), f"={self.version}".encode())
            if _parsed(_blob(make(lib.tenon_package_describe, handle)))["hash"] == self.hash:
                return handle
            lib.tenon_package_release(handle)
        except NotFound:
            if self.recipe is None:
                raise
        if self.recipe is None:
            raise NotFound(f"the package {self.name} {self.version} that is found here has other content than the one that is wanted: its "
                           f"SHA-256 is not {self.hash}", _raw.TENON_ERROR_NOT_FOUND)
        return self.recipe.load(None if self.recipe.path and self.recipe.path.endswith(".so") else self.hash)


class Package(Renewed):
    """A loaded package. Its operations are attributes and items: package.sigmoid(x), package["sigmoid"]; iterating
    yields their names. An operation with the name of one of these methods hides the method, which is then called as
    tenon.plugins.Package.prepare(package)."""

    _release = lib.tenon_package_release
    description: dict[str, Any]
    _operations: dict[str, Operation]

    @classmethod
    def _of(cls, handle: Any, recipe: _Recipe | None = None) -> Package:
        self: Package = cls._own(handle)
        description = _parsed(_blob(make(lib.tenon_package_describe, self._handle)))
        if recipe is None and os.path.isabs(description["origin"]):
            recipe = _Recipe(description["origin"])
        self._operations = {}
        self._names = frozenset(one["name"] for one in description["operations"])
        self._set(description=description, __doc__=description["doc"])
        self._identity = _Identity(description["name"], description["version"], description["hash"], recipe)
        self._fill(self._names.intersection(dir(Package)))
        self._enlist()
        _dynamo.fill(self)
        return self

    def _fill(self, names: Iterable[str] | None = None) -> None:
        """Makes operations (None: all) attributes; otherwise their first use does."""
        self.__dict__.update((name, self[name]) for name in (self._names if names is None else names))

    def _renew(self) -> Any:
        return self._identity.find()

    def __reduce__(self) -> Any:
        return _package_again, tuple(self._identity)

    @property
    def name(self) -> str:
        return str(self.description["name"])

    @property
    def version(self) -> str:
        return str(self.description["version"])

    def __getitem__(self, name: str) -> Operation:
        if name not in self._operations:
            if not isinstance(name, str):
                raise TypeError(f"operations are looked up by name, not by {name!r}")
            made = Operation._of(make(lib.tenon_package_operation, self._handle, name.encode()), self._identity)
            self._operations[name] = made
        result: Operation = self._operations[name]
        return result

    @_dynamo.constant
    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            return super().__getattr__(name)
        if name in self._names:
            self._fill([name])
            return self.__dict__[name]
        raise AttributeError(f"{self!r} has no operation {name!r}; it has: {', '.join(dir(self))}")

    def __dir__(self) -> list[str]:
        return list(self)

    def __iter__(self) -> Iterator[str]:
        return (one["name"] for one in self.description["operations"])

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: Any) -> bool:
        return name in self._names

    def file(self, path: str) -> str:
        """The text of a file of the package."""
        return _blob(make(lib.tenon_package_file, self._handle, path.encode())).decode()

    def prepare(self, device: Any = None) -> None:
        """Compiles the package's kernels for a device, in parallel, for every dtype that their contracts allow."""
        check(lib.tenon_package_prepare(self._handle, as_device(device)._handle))

    def reload(self) -> Package:
        """Reads the package's path again and returns the new package, which replaces this one unless the content is the
        same."""
        fresh = _noted(Package._of(make(lib.tenon_package_reload, self._handle), self._identity.recipe))
        if fresh._identity[:2] != self._identity[:2]:
            _loads.pop(self._identity[:2], None)
        return fresh

    def unload(self) -> None:
        """Removes the package from the registry. Operations that are still referenced keep working."""
        check(lib.tenon_package_unload(self._handle))
        _loads.pop(self._identity[:2], None)
        _found.clear()

    def __repr__(self) -> str:
        return f"<tenon package {self._identity.name} {self._identity.version} from {self.description['origin']}>"


def _package_again(name: str, version: str, content_hash: str, recipe: _Recipe | None) -> Package:
    identity = _Identity(name, version, content_hash, recipe)
    return Package._of(identity.find(), recipe)


def _operation_again(identity: _Identity, name: str) -> Operation:
    return _package_again(*identity)[name]


class Operation(core.Operation, Renewed):
    """An operation of a package, called like a function: inputs and scalars in the contract's order or by name; outputs
    are new arrays, or those given with out=. Arrays are anything with DLPack. If the first is a PyTorch tensor, the
    results are tensors too, and PyTorch can differentiate through the operation if its contract names a gradient."""

    _release = lib.tenon_operation_release
    description: dict[str, Any]
    _gradient: Operation | None

    @classmethod
    def _of(cls, handle: Any, identity: _Identity) -> Operation:
        self: Operation = cls._own(handle)
        self._set(description=_parsed(_blob(make(lib.tenon_operation_describe, self._handle))))
        self._identity = identity  # of the package
        self.__name__ = self.description["name"]
        self._parameters = Parameters(f"{self.description['package']}/{self.__name__}", self.description)
        self._gradient = None
        self._differentiable = None  # the operation in PyTorch's graph; created when a tensor first needs it
        self._tracked = None  # its node, which the compiled __call__ calls; set where all inputs have derivatives
        self._describe(*self._parameters.described())
        self.__signature__ = self._parameters.signature
        self.__doc__ = _documentation(self.description)
        self._enlist()
        _dynamo.allow(self)  # on traced tensors it calls itself through the dispatcher
        return self

    def _renew(self) -> Any:
        package = self._identity.find()
        try:
            return make(lib.tenon_package_operation, package, self.__name__.encode())
        finally:
            lib.tenon_package_release(package)

    def __reduce__(self) -> Any:
        return _operation_again, (self._identity, self.__name__)

    def _launch(self, /, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> Any:
        """Handles the calls that the compiled __call__ does not. Returns the output, a tuple of several outputs, or
        None if the operation has only inout parameters."""
        values = self._parameters.bind(args, keywords)
        if out is not None:
            refuse_gradients(self._parameters.title, [*values.values(), *_listed(out)])
        first = values.get(self._parameters.first)
        like_torch = is_tensor(first)
        if like_torch and out is None:
            from . import _torch_operations  # PyTorch is loaded already if there are tensors

            special = _torch_operations.special(values)
            if special or _torch_operations.wants_gradient(values):
                results = (_torch_operations.dispatched(self, values) if special else
                           _torch_operations.tracked(self, values, stream))
                if isinstance(results, tuple):
                    return tuple(of_class(one, first) for one in results)
                return None if results is None else of_class(results, first)
        results = self._run(values, like_torch, out, stream)
        return results[0] if len(results) == 1 else tuple(results) or None

    def _run(self, values: Mapping[str, Any], like_torch: bool, out: Any, stream: Any) -> Sequence[Any]:
        packed, outputs, on = self._pack(detached_all(values) if like_torch else values, out, stream)
        check(lib.tenon_operation_call(self._handle, packed.address, self._parameters.count, stream_handle(on)))
        written(*self._targets(values, out), stream=on)
        if out is not None:
            return _listed(out)
        return [result(one, values[self._parameters.first]) for one in outputs] if like_torch else outputs

    def _targets(self, values: Mapping[str, Any], out: Any) -> list[Any]:
        """The outputs and inout arguments that the caller gave."""
        return [*(values[name] for name in self._parameters.changed), *(() if out is None else _listed(out))]

    def bind(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> BoundOperation:
        """Checks and evaluates the arguments once instead of at each call. bound() launches; bound.outputs are the
        arrays that it writes."""
        values = self._parameters.bind(args, keywords)
        if out is not None:
            refuse_gradients(self._parameters.title, [*values.values(), *_listed(out)])
        packed, outputs, on = self._pack(values, out, stream)
        bound = make(lib.tenon_operation_bind, self._handle, packed.buffer, self._parameters.count, stream_handle(on))
        tensors = [one.detach() for one in self._targets(values, out) if is_tensor(one)]
        return BoundOperation._of(bound, self, outputs, tensors, _device_of(packed))

    def prepare(self, *args: Any, **keywords: Any) -> None:
        """Compiles the kernels that a call with these arguments needs, without launching them."""
        packed = self._parameters.pack(self._parameters.bind(args, keywords))
        check(lib.tenon_operation_prepare(self._handle, packed.buffer, self._parameters.count))

    def test(self, device: Any = None) -> dict[str, Any]:
        """Runs the contract's self-tests on a device: {"passed", "failed", "cases": [...]}."""
        result: dict[str, Any] = _parsed(_blob(make(lib.tenon_operation_test, self._handle, as_device(device)._handle)))
        return result

    def measure(self, device: Any = None, *, types: str | None = None, seconds: float = 0,
                **given: Any) -> dict[str, Any]:
        """Measures the operation on a device, with the contract's `bench` cases, or its tests if there are none, or the
        given arguments: measure(x="normal(1000, 1000)", sigma=3, types="T=float32"). Returns {"cases":
        [{"milliseconds", "gigabytes_per_second", ...}]}."""
        return self._measured(lib.tenon_operation_measure, device, types, seconds, given)

    def tune(self, device: Any = None, *, types: str | None = None, seconds: float = 0, **given: Any) -> dict[str, Any]:
        """Searches for the best values of the operation's tunables on a device, for `seconds` seconds, and stores them
        for later calls with similar arguments, in every process. The arguments are those of measure."""
        return self._measured(lib.tenon_operation_tune, device, types, seconds, given)

    def _measured(self, function: Any, device: Any, types: str | None, seconds: float,
                  given: Mapping[str, Any]) -> dict[str, Any]:
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in given.values()]
        names, values = ((ctypes.c_char_p * max(len(given), 1))(*[text.encode() for text in list])
                         for list in (given, texts))
        options = _raw.tenon_measure_options(given_count=len(given), given_names=names, given_values=values,
                                             types=_text(types), seconds=seconds)
        result: dict[str, Any] = _parsed(_blob(make(function, self._handle, as_device(device)._handle,
                                                    ctypes.byref(options))))
        return result

    @property
    def gradient(self) -> Operation | None:
        """The operation that computes its vector-Jacobian product."""
        if self._gradient is None and self.description["gradient"] is not None:
            self._gradient = Operation._of(make(lib.tenon_operation_gradient, self._handle), self._identity)
        return self._gradient

    @property
    def tunables(self) -> Mapping[str, int]:
        """The current values of the operation's tunables; set_tunable changes one."""
        return {name: self._tunable(name) for name in self.description["tunables"]}

    def _tunable(self, name: str) -> int:
        out = ctypes.c_int64()
        check(lib.tenon_operation_get_tunable(self._handle, name.encode(), ctypes.byref(out)))
        return out.value

    def set_tunable(self, name: str, value: int) -> None:
        """Sets a tunable to one of the values in the contract, for all later calls."""
        check(lib.tenon_operation_set_tunable(self._handle, name.encode(), integer(value, name)))

    def _pack(self, values: Mapping[str, Any], out: Any, stream: Any) -> tuple[Packed, Sequence[Array], Any]:
        """The arguments with the outputs (the given or new ones), and the stream."""
        packed = self._parameters.pack(values)
        if stream is not None:
            stream = as_stream(stream, _device_of(packed))
        if out is None:
            return packed, self._parameters.make(packed, self._handle, stream_handle(stream)), stream
        given = _listed(out)
        if len(given) != len(self._parameters.outputs):
            raise TypeError(f"{self.__name__} has {len(self._parameters.outputs)} outputs; {len(given)} were given")
        outputs = [target(one, f"output {name} of {self._parameters.title}")
                   for one, (name, _) in zip(given, self._parameters.outputs)]
        self._parameters.give(packed, outputs)
        return packed, outputs, stream

    def __repr__(self) -> str:
        return f"<tenon operation {self.description['package']}/{self.__name__}{self.__signature__}>"


class BoundOperation(core.Call, Handle):
    """An operation with its arguments: bound(stream=None) launches it. Only one thread may use it at a time."""

    __slots__ = ("operation", "outputs", "_tensors", "_device")
    _tensors: Sequence[Any]
    _device: Device
    _release = lib.tenon_call_release
    operation: Operation
    outputs: Sequence[Array]

    @classmethod
    def _of(cls, handle: Any, operation: Operation, outputs: Sequence[Array], tensors: Sequence[Any],
            device: Device) -> BoundOperation:
        self: BoundOperation = cls._own(handle)
        self._set(operation=operation, outputs=outputs)
        self._tensors, self._device = tensors, device
        self._plain = not tensors
        return self

    def _launch(self, stream: Any = None) -> None:
        if stream is not None:
            stream = as_stream(stream, self._device)
        check(lib.tenon_call_launch(self._handle, stream_handle(stream)))
        if self._tensors:
            written(*self._tensors, stream=stream)

    def __repr__(self) -> str:
        return f"<tenon bound operation {self.operation._parameters.title} on {self._device}>"


def _device_of(packed: Packed) -> Device:
    return next((one.device for one in packed.keep if isinstance(one, Array)), None) or Device()


def _listed(out: Any) -> tuple[Any, ...]:
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def _documentation(description: Mapping[str, Any]) -> str:
    lines = [description["doc"], ""]
    for one in description["parameters"]:
        kind = one["type"] if "choices" not in one else "one of " + ", ".join(one["choices"])
        role = "optional " + one["role"] if one.get("optional") else one["role"]
        lines.append(f"    {one['name']} ({role}, {kind})" + (f": {one['doc']}" if one["doc"] else ""))
    for name, dtypes in description["types"].items():
        lines.append(f"    {name}: {', '.join(dtypes)}")
    return "\n".join(lines).strip()


_found: dict[str, Package] = {}
_loads: dict[tuple[str, str], _Identity] = {}    # the packages that this process loaded, by name and version
_missing: list[_Identity] = []  # those of them that a child of fork() has yet to load


@after_fork
def _lost() -> None:
    _missing[:] = _loads.values()


def _restore() -> None:
    """In a child of fork(), loads the packages of the parent when a package is first needed."""
    while _missing:
        one = _missing.pop()
        try:
            lib.tenon_package_release(one.recipe.load(None))  # type: ignore[union-attr]
        except Exception as error:
            warnings.warn(f"the package {one.name} {one.version}, loaded before fork(), could not be loaded again: {error}", stacklevel=3)


def _noted(package: Package) -> Package:
    _loads[package._identity[:2]] = package._identity
    _found.clear()
    return package


def load(path: Any, *, any_owner: bool = False, sha256: str | None = None, signed: bool = False,
         trusted: Sequence[str] = ()) -> Package:
    """Loads a package from a directory or a tar file, or a package of host code from a shared object, given by its
    absolute path. It is then available as tenon.ops.NAME. any_owner: also accept files that other users own or can
    write. sha256: the required content hash (for a shared object, the hash of the file). signed: require a signature by
    a key in the user's trust list or in `trusted`."""
    _restore()
    recipe = _Recipe(os.path.abspath(path), None, "", any_owner, signed, tuple(trusted))
    try:
        return _noted(Package._of(recipe._replace(path=str(path)).load(sha256), recipe))
    except NotFound as error:
        if any(one.get("name") == str(path) for one in packages()):
            raise NotFound(f"{error}. The package of that name is found without its path: tenon.ops.{path}, or "
                           f"tenon.plugins.find({str(path)!r})", error.status) from None
        raise


def load_bytes(data: bytes, name: str = "package.tar", *, sha256: str | None = None, signed: bool = False,
               trusted: Sequence[str] = ()) -> Package:
    """Loads a package from the bytes of a tar file."""
    _restore()
    recipe = _Recipe(None, bytes(data), name, False, signed, tuple(trusted))
    return _noted(Package._of(recipe.load(sha256), recipe))


def load_text(contract: str, files: Mapping[str, str] | None = None) -> Package:
    """Loads a package from the text of its contract, plugin.toml, and the text of the files that it names:

        load_text('name = "mine"\\nop.cube = { parameters = ["in T x", "out T y"], kernel = "cube<T>" }', {"cube.cu": "template ..."})

    Loading the same text again returns the same package; different text with the same name needs another version."""
    import io
    import tarfile  # slow to import

    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, text in {"plugin.toml": contract, **(files or {})}.items():
            data = text.encode()
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return load_bytes(archive.getvalue(), "package.tar")


def new_signing_key() -> str:
    """A new secret key for signing packages: keep it where only you can read it."""
    return _blob(make(lib.tenon_signing_key_create)).decode()


def public_key(secret: str) -> str:
    """The public key for a secret key, for the trust lists of others."""
    return _blob(make(lib.tenon_signing_key_public, secret.encode())).decode()


def sign(path: Any, secret: str) -> str:
    """The signature of a package: the text of the file plugin.sig, which belongs next to its plugin.toml."""
    return _blob(make(lib.tenon_package_sign, str(path).encode(), secret.encode(), _options(False, None))).decode()


def check_package(path: Any, *, any_owner: bool = False) -> dict[str, Any]:
    """Reads and checks a package without loading it, and returns its description."""
    result: dict[str, Any] = _parsed(_blob(make(lib.tenon_package_check, None, str(path).encode(),
                                                _options(any_owner, None))))
    return result


def pack(path: Any, *, any_owner: bool = False) -> bytes:
    """The bytes of a tar file with the package and the hashes of its files, for load and load_bytes."""
    return _blob(make(lib.tenon_package_pack, str(path).encode(), _options(any_owner, None)))


def find(name: str, versions: str | None = None) -> Package:
    """The package with this name and a version in a range such as ">=1.2, <2", loaded or on the search path."""
    _restore()
    package = Package._of(make(lib.tenon_package_find, None, name.encode(), _text(versions)))
    known = _loads.get(package._identity[:2])
    if known is not None and known.hash == package._identity.hash:
        package._identity = known
    return package


def packages() -> list[dict[str, Any]]:
    """All packages that are loaded or on the search path."""
    _restore()
    result: list[dict[str, Any]] = _parsed(_blob(make(lib.tenon_package_list, None)))
    return result


def named(name: str) -> Package:
    """The package of that name in tenon.ops."""
    if name not in _found:
        _found[name] = find(name)
    return _found[name]
