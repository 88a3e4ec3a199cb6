"""The operations of packages, as tenon.ops.PACKAGE.OPERATION(...). A package that is not loaded is searched for on the
search path."""

from . import _dynamo, _plugins
from ._errors import NotFound as _NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:

    def __getattr__(name: str) -> _plugins.Package: ...  # type checkers do not see the one below its decorator
else:

    @_dynamo.constant
    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return _plugins.named(name)
        except _NotFound as error:
            raise AttributeError(str(error)) from None


def __dir__() -> list[str]:
    return sorted({one["name"] for one in _plugins.packages() if "name" in one})
