"""The tables of abi/python/exchange.md say what happens to arrays of the libraries that are installed."""

import re

import pytest

import exchange

pytestmark = pytest.mark.peers
PAGE = exchange.PAGE.read_text()


def section_of_page(device):
    found = re.search(f"<!-- {device} -->(.*)<!-- end of {device} -->", PAGE, re.S)
    assert found, f"{exchange.PAGE} has no tables for {device}"
    return found[1]


def version_on_page(name, device):
    found = re.search(rf"\b{name} ([\w.+]+\w)", section_of_page(device).partition(":\n")[0])
    return None if found is None else found[1]


def columns(name, device):
    """The library's cells of the page: {row: (in, out)}."""
    cells, at = {}, None
    for line in section_of_page(device).splitlines():
        entries = [one.strip() for one in line.split("|")[1:-1]]
        if not entries or set(entries[0]) == {"-"}:
            continue
        if not entries[0]:
            at = entries.index(f"{name} in") if f"{name} in" in entries else None
        elif at is not None:
            cells[entries[0]] = tuple(entries[at:at + 2])
    return cells


@pytest.mark.parametrize("device", ["cpu:0", "cuda:0"])
@pytest.mark.parametrize("name", exchange.LIBRARIES)
def test_the_page_tells_what_happens(name, device):
    if f"<!-- {device} -->" not in PAGE or device not in exchange.LIBRARIES[name][0].devices:
        pytest.skip(f"{name} has no column for {device}")
    found = exchange.libraries(device, [name])
    if name not in found:
        pytest.skip(f"{name} is not installed, or has no {device}")
    library, version = found[name]
    written = version_on_page(name, device)
    if name != "Tenon" and written != version:
        pytest.skip(f"the page is about {name} {written}, and {version} is installed")
    rows = (*exchange.DTYPES, *exchange.LAYOUTS)
    assert columns(name, device) == {row: exchange.cells(library, device, row) for row in rows}
