"""The programs in README.md and in the pages that it links to run unchanged, and its links are valid."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, run_python

pytestmark = pytest.mark.examples


# The pages for users, and README.md itself. All of them together have one program per language.
PAGES = ["README.md", "include/README.md", "abi/python/README.md", "abi/rust/README.md", "abi/julia/README.md"]
DOCUMENTS = [*PAGES, "abi/python/frameworks.md", "abi/python/from_cupy.md", "abi/python/exchange.md",
             "abi/README.md", "src/README.md", "src/tool/README.md", "kernels/README.md", ".github/CONTRIBUTING.md"]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", "\n".join((ROOT / page).read_text() for page in PAGES), re.S)


def block(language):
    """The program; C++ has a few lines besides."""
    found = [text for text in blocks(language) if language != "cpp" or " main(" in text]
    assert len(found) == 1
    return found[0]


def anchors(text):
    """The anchors that GitHub generates for headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS)
def test_links_lead_to_files_and_headings(page):
    place = ROOT / page
    text = re.sub(r"```.*?```", "", place.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        file = (place.parent / name).resolve() if name else place
        assert file.exists(), f"{page} links to {target}, which does not exist"
        if anchor:
            assert anchor in anchors(file.read_text()), f"{page} links to {target}, which has no such heading"


def test_the_python_program_runs():
    done = run_python(block("python"))
    assert done.returncode == 0, done.stderr
    assert "0.0066" in done.stdout


@pytest.mark.parametrize("language, compilers, flags", [("c", ["cc", "gcc"], "-std=c99 -Wall -Werror"),
                                                        ("cpp", ["c++", "g++"], "-std=c++17 -Wall -Werror")])
def test_a_compiled_program_runs(tmp_path, language, compilers, flags):
    compiler = next(filter(None, map(shutil.which, compilers)), None)
    if compiler is None:
        pytest.skip(f"no compiler for {language}")
    import tenon

    library = pathlib.Path(tenon.info()["library"]).resolve()
    source = tmp_path / f"main.{language}"
    source.write_text(block(language))
    subprocess.run([compiler, *flags.split(), f"-I{ROOT / 'include'}", str(source), str(library), "-o", "main"],
                   cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
    assert (done.returncode, done.stdout.split()) == (0, ["2", "4", "6", "8"]), done.stderr


def test_the_lines_of_cpp_compile(tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no compiler for C++")
    (lines,) = [text for text in blocks("cpp") if " main(" not in text]
    source = tmp_path / "lines.cpp"
    source.write_text("#include <tenon/tenon.hpp>\nvoid f(tenon::dynamic_array a, tenon::dynamic_array b, "
                      "tenon::dynamic_array c, tenon::stream stream) {\n" + lines + "(void)s, (void)d, (void)distance;\n}\n")
    done = subprocess.run([compiler, "-std=c++17", "-Wall", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}", str(source)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_programs_for_users_of_cupy_run():
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "abi" / "python" / "from_cupy.md").read_text(), re.S)
    assert len(programs) == 6
    done = run_python("\n".join(programs))
    assert done.returncode == 0, done.stderr


def test_the_programs_about_pytorch_and_jax_run():
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "abi" / "python" / "frameworks.md").read_text(), re.S)
    assert len(programs) == 5
    assert len(programs[0].partition("\n\n")[0].splitlines()) <= 12  # the import, and ten lines
    done = run_python("\n".join(programs))
    assert done.returncode == 0, done.stderr
