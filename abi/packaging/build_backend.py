"""abi/packaging/build_backend.py: how pip builds the package: as meson-python does, which is told that free-threaded
Pythons have no stable interface, so that the wheel is for that version alone."""

import sysconfig

import mesonpy
from mesonpy import build_sdist, get_requires_for_build_editable, get_requires_for_build_sdist, get_requires_for_build_wheel

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable",
           "get_requires_for_build_sdist", "get_requires_for_build_wheel"]


def _for_this_python(settings):
    """The settings of the caller, and what this Python needs."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        return settings
    given = (settings or {}).get("setup-args", [])
    given = [given] if isinstance(given, str) else list(given)
    return {**(settings or {}), "setup-args": [*given, "-Dpython.allow_limited_api=false"]}


def build_wheel(directory, config_settings=None, metadata_directory=None):
    return mesonpy.build_wheel(directory, _for_this_python(config_settings), metadata_directory)


def build_editable(directory, config_settings=None, metadata_directory=None):
    return mesonpy.build_editable(directory, _for_this_python(config_settings), metadata_directory)
