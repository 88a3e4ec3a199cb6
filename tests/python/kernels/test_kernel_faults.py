"""Faults of kernels on the CPU device in a Python process become exceptions, also with faulthandler and other
signals."""
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tenon
from conftest import PRELOAD

WILD = 'extern "C" __global__ void k(int* p, int n) { if (n) p[1ll << 40] = 1; p[0] = 5; }'


def child(text):
    """Runs `text` in a separate Python process, after a kernel that works and one that fails."""
    if PRELOAD:
        pytest.skip("a sanitizer has the process's signals")
    before = f"""
        import faulthandler, os, signal, sys, threading
        import numpy as np
        import tenon
        def run():
            kernel = tenon.Program({WILD!r}, ["k"], device="cpu:0").kernel("k")
            x, stream = tenon.zeros(4, "int32", device="cpu:0"), tenon.Stream("cpu:0")
            kernel(1, 1, [x, 0], stream=stream)
            try:
                kernel(1, 1, [x, 1], stream=stream)
                stream.synchronize()
                sys.exit("no fault")
            except tenon.KernelFault as error:
                assert "access to the address" in str(error), error
            assert int(x.numpy()[0]) == 5
    """
    return subprocess.run([sys.executable, "-c", textwrap.dedent(before) + textwrap.dedent(text)], capture_output=True, text=True, timeout=120)


def test_a_bad_address_is_an_exception_and_faulthandler_stays():
    done = child("""
        faulthandler.enable()
        run()
        print("on")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    """)
    assert done.stdout == "on\n", done.stderr
    assert done.returncode == -signal.SIGSEGV
    assert "Fatal Python error: Segmentation fault" in done.stderr


def test_faults_in_threads_and_with_signals_of_python():
    done = child("""
        seen = []
        signal.signal(signal.SIGFPE, lambda number, frame: seen.append(number))
        threads = [threading.Thread(target=run) for _ in range(4)]
        for one in threads: one.start()
        for one in threads: one.join()
        os.kill(os.getpid(), signal.SIGFPE)
        print(len(seen))
    """)
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


def test_a_signal_from_outside_still_ends_the_process():
    done = child("run()\nos.kill(os.getpid(), signal.SIGSEGV)\nprint('alive')")
    assert (done.returncode, done.stdout) == (-signal.SIGSEGV, ""), done.stderr


def test_the_checked_mode_raises_at_the_call():
    kernel = tenon.Program('extern "C" __global__ void k(int* p, int n) { p[threadIdx.x + n] = 1; }', ["k"], device="cpu:0", mode="check").kernel("k")
    x = tenon.zeros(8, "int32", device="cpu:0")
    with pytest.raises(tenon.KernelFault, match="behind the end of argument 0"):
        kernel(1, 8, [x, 1])
    kernel(1, 8, [x, 0])
    assert x.numpy().tolist() == [1] * 8


def test_the_instruction_set_is_part_of_the_request():
    text = 'extern "C" __global__ void k(float* p) { p[threadIdx.x] *= 2; }'
    x = tenon.asarray(np.arange(8, dtype="f4"), device="cpu:0")
    for architecture in ("x86-64-v2", "native"):
        tenon.Program(text, ["k"], device="cpu:0", architecture=architecture).kernel("k")(1, 8, [x])
    assert x.numpy().tolist() == [4.0 * i for i in range(8)]
    with pytest.raises(tenon.TenonError, match="it must be x86-64-v2, x86-64-v3, x86-64-v4 or native"):
        tenon.Program(text, ["k"], device="cpu:0", architecture="haswell")
