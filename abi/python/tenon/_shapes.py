"""Shapes and dtypes of an operation's outputs, computed from its contract alone.

libtenon computes the same for existing arrays. Compilers need them before any array exists, and PyTorch's extents can
then be symbols (SymInt). So the contract's expressions (their grammar is in kernels/README.md) are translated to Python
here and evaluated with extents of any kind.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any, NamedTuple
from collections.abc import Callable, Mapping, Sequence

from . import _raw
from ._dtypes import BY_NAME, promoted
from ._errors import ShapeError, Unsupported


class Form(NamedTuple):
    """The shape and dtype of an array: its extents, which may be symbols, and the name of its dtype."""

    shape: tuple[Any, ...]
    dtype: str


class NotGiven:
    """An optional array that a call omits: expressions may only test whether it was given."""


# --- expressions -----------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
                    r"|'(?P<quoted>[^']*)'|(?P<sign><=|>=|==|!=|&&|\|\||[-+*/%!<>?:()\[\].,]))")
_NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PART = re.compile(r"(\w+)\.shape(?:\[(.*):(.*)\])?")


class _Translator:
    """Translates the text of an expression to Python: values become V["name"], counters become Python variables."""

    def __init__(self, text: str, counters: Sequence[str] = ()):
        self._tokens = [(match.lastgroup, match[match.lastgroup or 0]) for match in _TOKEN.finditer(text.strip())]
        self._at = 0
        self._counters = list(counters)

    def whole(self) -> str:
        return self._conditional()

    def _peek(self, ahead: int = 0) -> tuple[Any, str]:
        return self._tokens[self._at + ahead] if self._at + ahead < len(self._tokens) else (None, "")

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _took(self, *texts: str) -> bool:
        kind, text = self._peek()
        found = kind in ("sign", "name") and text in texts
        self._at += found
        return found

    def _conditional(self) -> str:
        condition = self._either()
        if not self._took("?"):
            return condition
        first = self._conditional()
        self._took(":")
        return f"({first} if {condition} else {self._conditional()})"

    def _either(self) -> str:
        left = self._both()
        while self._took("||", "or"):
            left = f"int(bool({left}) or bool({self._both()}))"
        return left

    def _both(self) -> str:
        left = self._comparison()
        while self._took("&&", "and"):
            left = f"int(bool({left}) and bool({self._comparison()}))"
        return left

    def _comparison(self) -> str:
        left = self._sum()
        if self._peek()[1] not in ("==", "!=", "<", "<=", ">", ">="):
            return left
        sign = self._take()
        right = repr(self._take()) if self._peek()[0] == "quoted" else self._sum()
        return f"int(bool({left} {sign} {right}))"

    def _sum(self) -> str:
        left = self._product()
        while self._peek()[1] in ("+", "-"):
            left = f"({left} {self._take()} {self._product()})"
        return left

    def _product(self) -> str:
        left = self._unary()
        while self._peek()[1] in ("*", "/", "%"):
            sign = self._take()
            right = self._unary()
            left = f"divided({left}, {right})" if sign == "/" else f"({left} {sign} {right})"
        return left

    def _unary(self) -> str:
        if self._took("-"):
            return f"(-{self._unary()})"
        if self._took("!", "not"):
            return f"int(not {self._unary()})"
        return self._primary()

    def _primary(self) -> str:
        kind, text = self._peek()
        self._at += 1
        if kind == "number":
            return text
        if text == "(":
            inner = self._conditional()
            self._took(")")
            return f"({inner})"
        if text in ("true", "false"):
            return str(int(text == "true"))
        if self._took("("):
            return self._called(text)
        return text if text in self._counters else self._fact(f"V[{text!r}]")

    def _fact(self, value: str) -> str:
        if self._took("."):
            value = f"fact({value}, {self._take()!r})"
        if self._took("["):
            value = f"{value}[{self._conditional()}]"
            self._took("]")
        return value

    def _called(self, name: str) -> str:
        if name == "prod":  # prod(x.shape, first, last)
            array = self._take()
            self._at += 2
            arguments = [f"V[{array!r}].shape"]
            self._took(",")
        elif name == "sum" or name in ("min", "max") and self._peek(1)[1] == "<" and self._peek()[0] == "name":
            return self._repeated(name)
        else:
            arguments = []
        while not self._took(")"):
            arguments.append(self._conditional())
            self._took(",")
        return f"{name}_({', '.join(arguments)})"

    def _repeated(self, name: str) -> str:
        counter = self._take()
        self._at += 1
        count = self._sum()
        self._took(",")
        self._counters.append(counter)
        value = self._conditional()
        self._counters.pop()
        self._took(")")
        return f"{name}_over([{value} for {counter} in range({count})])"


def _divided(a: Any, b: Any) -> Any:
    return a / b if isinstance(a, float) or isinstance(b, float) else a // b


def _prod(shape: Sequence[Any], first: int, last: int) -> Any:
    rank = len(shape)
    return math.prod(shape[first + rank * (first < 0):last + rank * (last < 0)])


def _fact(value: Any, name: str) -> Any:
    if name == "given" and isinstance(value, (Form, NotGiven)):
        return int(isinstance(value, Form))
    if isinstance(value, Form):
        itemsize = BY_NAME[value.dtype].itemsize
        if name == "shape":
            return value.shape
        if name in ("size", "bytes"):
            return math.prod(value.shape) * (itemsize if name == "bytes" else 1)
        if name in ("rank", "itemsize"):
            return len(value.shape) if name == "rank" else itemsize
    elif isinstance(value, str):  # a dtype
        dtype = BY_NAME[value]
        return {"itemsize": dtype.itemsize, "floating": int(dtype.kind in "fV"),
                "complex": int(dtype.kind == "c")}[name]
    elif name == "size":
        return len(value)
    raise KeyError(f".{name}")


def _ceil_div(a: Any, b: Any) -> Any:
    return -(-a // b)


_FUNCTIONS: dict[str, Any] = {
    "divided": _divided, "fact": _fact, "prod_": _prod, "min_": min, "max_": max, "abs_": abs, "ceil_div_": _ceil_div,
    "round_up_": lambda a, b: _ceil_div(a, b) * b,
    "power_of_two_": lambda a: 1 if a <= 1 else 1 << (a - 1).bit_length(),
    "int_": math.trunc, "floor_": math.floor, "ceil_": math.ceil, "round_": round, "real_": float, "sqrt_": math.sqrt,
    "exp_": math.exp, "log_": math.log, "log2_": math.log2, "clamp_": lambda x, low, high: min(max(x, low), high),
    "sum_over": sum, "min_over": min, "max_over": max}


@functools.cache
def _compiled(text: str, counter: str | None = None) -> Callable[..., Any]:
    source = _Translator(text, (counter,) if counter else ()).whole()
    function = f"lambda V{', ' + counter if counter else ''}: {source}"
    result: Callable[..., Any] = eval(function, _FUNCTIONS)  # noqa: S307: our own text
    return result


# --- shapes ----------------------------------------------------------------------------------------------------------

class _Choice(int):
    """The number of a choice, which expressions compare with names."""

    name: str

    def __eq__(self, other: Any) -> bool:
        return self.name == other if isinstance(other, str) else int(self) == other

    def __ne__(self, other: Any) -> bool:
        return not self == other

    __hash__ = int.__hash__


def constant_default(one: Mapping[str, Any]) -> Any:
    """The default of a scalar, if it is a number or a choice; None: it has none, or each call computes it."""
    text = one.get("default")
    if text is None or "choices" in one:
        return text
    if one["type"] == "bool":
        return {"0": False, "1": True, "false": False, "true": True}.get(text)
    return None if not _NUMBER.fullmatch(text) else int(text) if text.lstrip("-").isdigit() else float(text)


class _Values(dict[str, Any]):
    """The names in expressions and their values; `let` values and defaults are computed at first use."""

    def __init__(self, description: Mapping[str, Any]):
        super().__init__()
        self.title = f"{description['package']}/{description['name']}"
        self.lets = description.get("let", {})
        self.scalars = {one["name"]: one for one in description["parameters"] if one["role"] == "scalar"}
        self.leading: tuple[Any, ...] | None = None

    def __missing__(self, name: str) -> Any:
        if name in self.lets:
            value = self._let(self.lets[name])
        elif name in self.scalars:
            value = self._default(self.scalars[name])
        else:
            raise KeyError(name)
        self[name] = value
        return value

    def _let(self, rule: Any) -> Any:
        if isinstance(rule, str):
            return self.number(rule)
        value = _compiled(rule["value"], rule["counter"])
        return [value(self, index) for index in range(self.number(rule["count"]))]

    def _default(self, one: Mapping[str, Any]) -> Any:
        if "choices" in one:
            return self.choice(one, one["default"])
        return self.listed(one, [self.number(one["default"])]) if "shape" in one else self.number(one["default"])

    def choice(self, one: Mapping[str, Any], value: Any) -> _Choice:
        index = one["choices"].index(value) if isinstance(value, str) else int(value)
        made = _Choice(index)
        made.name = one["choices"][index]
        return made

    def listed(self, one: Mapping[str, Any], items: Sequence[Any]) -> list[Any]:
        """A list as the kernel gets it: a single entry is repeated if the contract gives the length."""
        extent = one["shape"][0] if one["shape"] else "*"
        if len(items) != 1 or extent == "*" or self.is_new(extent):
            return list(items)
        return list(items) * int(self.number(extent))

    def is_new(self, extent: str) -> bool:
        """Whether this extent of an input is a new name, which gets its value from the input's shape."""
        return bool(_NAME.fullmatch(extent)) and not any(extent in known for known in (self, self.lets, self.scalars))

    def number(self, text: str) -> Any:
        return _compiled(text)(self)

    def extents(self, rule: Any) -> list[Any]:
        """The values of a shape in the contract; extents that are not known yet are None."""
        out: list[Any] = []
        for extent in rule:
            part = _PART.fullmatch(extent)
            if extent == "...":
                out.extend(self.leading or ())
            elif extent == "*" or self.is_new(extent):
                out.append(None)
            elif part:
                shape = self[part[1]].shape
                bounds = [self.number(text) if text and text.strip() else None for text in (part[2], part[3])]
                out.extend(shape[slice(*bounds)])
            else:
                out.append(self.number(extent))
        return out

    def bind(self, name: str, rule: Any, form: Form) -> None:
        """Adds an input: gives the new names in its shape their values, and checks the other extents."""
        self[name] = form
        shape = form.shape
        if rule is None or rule == "broadcast":
            return
        if isinstance(rule, dict):
            self._compare(name, shape, self[rule["like"]].shape)
            return
        if "..." in rule and self.leading is None:
            first, others = self._count(rule[:rule.index("...")]), self._count(rule)
            if len(shape) < others:
                self._refuse(name, shape, f"its rank must be at least {others}")
            self.leading = tuple(shape[first:first + len(shape) - others])
        if len(shape) != self._count(rule):
            self._refuse(name, shape, f"its rank must be {self._count(rule)}")
        at = 0
        for extent in rule:  # in order, because later extents may use a name
            wanted = self.extents([extent])
            if wanted == [None] and extent != "*":
                self[extent] = shape[at]
            for one in wanted:
                if one is not None and shape[at] != one:
                    self._refuse(name, shape, f"extent {at}, {extent}, must be {one}")
                at += 1

    def _count(self, rule: Sequence[str]) -> int:
        """The number of extents, as far as the length of `...` is known."""
        return sum(len(self.extents([extent])) if extent == "..." or _PART.fullmatch(extent) else 1 for extent in rule)

    def _compare(self, name: str, shape: Sequence[Any], wanted: Sequence[Any]) -> None:
        if len(shape) != len(wanted) or any(a != b for a, b in zip(shape, wanted)):
            self._refuse(name, shape, f"it must have {tuple(wanted)}")

    def _refuse(self, name: str, shape: Sequence[Any], why: str) -> None:
        raise ShapeError(f"{name} of {self.title} has the shape {tuple(shape)}: {why}", _raw.TENON_ERROR_SHAPE)


def broadcast(shapes: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """The shape to which all of these broadcast."""
    out: list[Any] = []
    for shape in shapes:
        out[:0] = [1] * (len(shape) - len(out))
        for axis, extent in enumerate(shape, len(out) - len(shape)):
            if extent == 1:
                continue
            if out[axis] != 1 and out[axis] != extent:
                given = ", ".join(str(tuple(one)) for one in shapes)
                raise ShapeError(f"the shapes {given} cannot be broadcast together", _raw.TENON_ERROR_SHAPE)
            out[axis] = extent
    return tuple(out)


def begins_with_batch(rule: Any) -> bool:
    """Whether the shape begins with any number of batch extents."""
    return isinstance(rule, list) and rule[:1] == ["..."]


def scalars_know_rank(description: Mapping[str, Any]) -> bool:
    """Whether a scalar's length or default depends on the number of axes, so that an additional leading axis changes
    its meaning."""
    return any("rank" in str(one.get("shape", "")) or "rank" in one.get("default", "")
               for one in description["parameters"] if one["role"] == "scalar")


def outputs(description: Mapping[str, Any], values: Mapping[str, Any]) -> list[Form]:
    """The outputs of a call, in the contract's order. values: a Form for each array, and the given scalars."""
    known = _Values(description)
    parameters = description["parameters"]
    types = _dtypes(description, values)
    known.update(types)
    for one in parameters:
        name = one["name"]
        if one["role"] in ("in", "inout"):
            if one.get("optional") and name not in values:
                known[name] = NotGiven()
            else:
                known.bind(name, one["shape"], values[name])
        elif one["role"] == "scalar" and name in values:
            value = values[name]
            known[name] = (known.choice(one, value) if "choices" in one else
                           known.listed(one, value if isinstance(value, (list, tuple)) else [value]) if "shape" in one
                           else value)
    made = []
    for one in parameters:
        if one["role"] == "out":
            form = Form(_shape(known, one, parameters), types.get(one["type"]) or one["type"])
            known[one["name"]] = form
            made.append(form)
    return made


def _shape(known: _Values, one: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    rule = one["shape"]
    if isinstance(rule, dict):
        return tuple(known[rule["like"]].shape)
    if rule == "broadcast":
        return broadcast([known[other["name"]].shape for other in parameters
                          if other["role"] in ("in", "inout") and not other.get("raw")
                          and not isinstance(known[other["name"]], NotGiven)])
    try:
        shape = tuple(known.extents(rule))
    except KeyError as error:
        raise Unsupported(f"the shape of {one['name']} of {known.title} depends on {error.args[0]}, which is known "
                          "only when the operation runs: torch.compile, torch.export and jax.jit cannot take it",
                          _raw.TENON_ERROR_UNSUPPORTED) from None
    for extent in shape:
        if extent < 0:
            raise ShapeError(f"{one['name']} of {known.title} would have the extent {extent}", _raw.TENON_ERROR_SHAPE)
    return shape


def _dtypes(description: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, str]:
    """The dtype of each placeholder: from the arrays, else from another placeholder, else from the numbers."""
    types: dict[str, str] = {}
    for one in description["parameters"]:
        if one["role"] in ("in", "inout") and one["type"] in description["types"] and not one.get("optional"):
            types.setdefault(one["type"], values[one["name"]].dtype)
    follows = description.get("follows", {})
    for last in (False, True):
        for name, rule in follows.items():
            if name not in types and rule["from"] in types:
                types[name] = rule["dtypes"].get(types[rule["from"]], types[rule["from"]])
        for one in description["parameters"]:
            kind = one["type"]
            if one["role"] == "scalar" and kind in description["types"] and one["name"] in values and (
                    kind not in types and (last or kind not in follows)):
                numbers = [value for other in description["parameters"] if other["type"] == kind
                           and (value := values.get(other["name"])) is not None]
                promoted_dtype: Any = functools.reduce(promoted, numbers, None)
                types[kind] = promoted_dtype.name
    return types
