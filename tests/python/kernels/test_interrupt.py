"""Ctrl-C during a compilation takes effect at once, and leaves neither a compiler nor a directory behind."""

import re
import shutil
import textwrap

import pytest

from conftest import run_python
from test_compilation import ENDLESS

# A tree of template instances that takes forever to compile; and each way to compile it.
WAYS = {
    "program": "tenon.Program(ENDLESS, ['k'], device='cpu:0', no_cache=True)",
    "link": "tenon.Program.link([ENDLESS], ['k'], device='cpu:0', no_cache=True)",
    "kernel": "tenon.Kernel(ENDLESS, 'k', no_cache=True)(1, 1, [tenon.zeros(1, 'uint64', device='cpu:0')])",
    "first call": "tenon.elementwise('uint64 x', 'uint64 y', 'y = Tree<60, 1>::value', preamble=TREE, no_cache=True)(tenon.ones(2, 'uint64', device='cpu:0'))",
    "operation": "tenon.plugins.load(package()).slow(tenon.ones(2, 'uint64', device='cpu:0'))",
    "compilation": "tenon.Compilation(ENDLESS, ['k'], device='cpu:0', no_cache=True).result()",
}
PROGRAM = '''
import os, pathlib, signal, sys, threading, time, tenon
ENDLESS = {endless!r}
TREE = ENDLESS.split('extern')[0]

def package():
    directory = pathlib.Path(os.environ["TMPDIR"]).parent / "package"
    directory.mkdir()
    (directory / "plugin.toml").write_text("""
name = "slow"
version = "1.0.0"
[op.slow]
parameters = ["in uint64 x", "out uint64 y"]
source = "k.cu"
kernel = "k"
arguments = ["y"]
threads = "1"
""")
    (directory / "k.cu").write_text(ENDLESS)
    return directory

def compiling():
    """The processes that this one started, and theirs: they have its TMPDIR, or one below it. Without the servers, which have
    compilers as children: a server's parent is none of these."""
    parents, servers, own = {{}}, set(), ("TMPDIR=" + os.environ["TMPDIR"]).encode()
    for one in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            environment, stat = (one / "environ").read_bytes(), (one / "stat").read_text()
        except OSError:  # it has ended
            continue
        if own in environment and int(one.name) != os.getpid():
            parents[int(one.name)] = int(stat.rpartition(")")[2].split()[1])
            if b"LD_PRELOAD=/proc/self/fd/" in environment:
                servers.add(int(one.name))
    return [pid for pid, parent in parents.items() if pid not in servers or parent in parents]

def directories():
    """Without that of the precompiled header, which is the process's."""
    return [one.name for one in pathlib.Path(os.environ["TMPDIR"]).iterdir() if not (one / "all.h").exists()]

def interrupt():
    while not compiling():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.{signal})

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits that it is ignored
handler = {handler}
if handler:
    signal.signal(signal.{signal}, handler)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {way}
    print("done")
except BaseException as error:
    print(type(error).__name__, error)
print(len(compiling()), directories())
print(tenon.Kernel("__global__ void k(int* x) {{ *x = 7; }}", "k")(1, 1, [x := tenon.zeros(1, "int32", device="cpu:0")]) or x.item())
'''


def run(tmp_path, way, handler="None", name="SIGINT", **environment):
    scratch = tmp_path / "tmp"
    scratch.mkdir(exist_ok=True)
    # A unique text, because two processes that compile the same text wait for each other.
    endless = f"{ENDLESS}// {way} {handler} {name}\n"
    code = textwrap.dedent(PROGRAM).format(endless=endless, way=way, handler=handler, signal=name)
    done = run_python(code, TMPDIR=str(scratch), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("way", WAYS)
def test_an_interrupt_ends_the_compile(tmp_path, way):
    assert run(tmp_path, WAYS[way]) == ["KeyboardInterrupt ", "0 []", "7"]


@pytest.mark.skipif(not shutil.which("g++"), reason="there is no g++")
def test_no_file_of_an_interrupted_gcc_is_left(tmp_path):
    """g++ writes the assembler's input to a temporary file, which it cannot remove when it is killed."""
    assert run(tmp_path, WAYS["kernel"], TENON_CXX="g++") == ["KeyboardInterrupt ", "0 []", "7"]


def test_an_exception_of_a_handler_is_raised(tmp_path):
    code = "lambda *_: (_ for _ in ()).throw(TimeoutError('mine'))"
    assert run(tmp_path, WAYS["kernel"], code, "SIGALRM") == ["TimeoutError mine", "0 []", "7"]


def test_a_handler_that_raises_nothing_lets_the_compilation_continue(tmp_path):
    way = "tenon.Program(ENDLESS, ['k'], device='cpu:0', no_cache=True, time_limit=3)"
    first, *rest = run(tmp_path, way, "lambda *_: None", "SIGUSR1")
    assert first.startswith("CompileError") and "time limit of 3 seconds" in first and rest[-2:] == ["0 []", "7"]


TERMINAL = """
import os, pty, sys, time
SOURCE = {source!r}
pid, terminal = pty.fork() if {terminal} else (os.fork(), None)
if pid == 0:
    import tenon
    try:
        tenon.Program(SOURCE, ['k'], device='cpu:0', no_cache=True, time_limit={limit})
    except tenon.CompileError:
        print("ended")
    sys.stdout.flush()
    os._exit(0)
text = b""
while terminal is not None:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the other side is closed
        break
    if not part:
        break
    text += part
os.waitpid(pid, 0)
print(text.decode())
"""


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_compile_is_announced_on_a_terminal_only(terminal):
    said, limit = 0, 2.5
    while said == 0 and (terminal or limit == 2.5):  # longer and longer, until it had the time to say so
        done = run_python(TERMINAL.format(source=ENDLESS, terminal=terminal, limit=limit))
        assert done.returncode == 0 and "ended" in done.stdout, done.stderr
        text = r"tenon: compiling a kernel \(\d+ s; it is kept for later runs; Ctrl-C ends it\)"
        said, limit = len(re.findall(text, done.stdout + done.stderr)), 2 * limit
    assert said == int(terminal), (done.stdout, done.stderr)
