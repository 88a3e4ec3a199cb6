"""Random numbers: known answers, the algorithms of random.h recomputed with NumPy, statistics with fixed keys,
generators as values."""
import copy
import ctypes
import pickle

import numpy as np
import pytest
import scipy.stats as stats

import tenon
from conftest import run_python
from tenon import _raw
from tenon._library import lib
from tenon.random import Generator


def philox(block, stream, key):
    """Philox 4x32-10 for arrays of counters, in NumPy."""
    block = np.asarray(block, "u8")
    c = [block & 0xffffffff, block >> np.uint64(32), np.full_like(block, stream & 0xffffffff),
         np.full_like(block, stream >> 32)]
    k = [key & 0xffffffff, key >> 32]
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), p1 & np.uint64(0xffffffff),
             (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), p0 & np.uint64(0xffffffff)]
        k = [(k[0] + 0x9E3779B9) & 0xffffffff, (k[1] + 0xBB67AE85) & 0xffffffff]
    return np.stack(c, -1)


# Random123's kat_vectors for philox 4x32, 10 rounds: counter, key, answer.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


@pytest.mark.parametrize("counter,key,answer", KNOWN)
def test_known_answers(counter, key, answer):
    c, k = ([int(word, 16) for word in text.split()] for text in (counter, key))
    g = Generator(k[0] | k[1] << 32, c[0] | c[1] << 32)
    words = g.bits(4, "uint32", stream_number=c[2] | c[3] << 32).tolist()
    assert words == [int(word, 16) for word in answer.split()]


def words32(n, key=9, offset=5, stream=0):
    return philox(offset + np.arange((n + 3) // 4), stream, key).reshape(-1)[:n]


def words64(n, key=9, offset=5, stream=0):
    w = philox(offset + np.arange((n + 1) // 2), stream, key)
    return np.stack([w[:, 0] | w[:, 1] << np.uint64(32), w[:, 2] | w[:, 3] << np.uint64(32)], -1).reshape(-1)[:n]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 63, 64, 65, 4099])
def test_words_and_uniform_numbers_are_as_the_standard_says(n):
    make = lambda: Generator(9, 5)
    for dtype in ("uint8", "int16", "int32", "uint32"):
        assert make().bits(n, dtype).numpy().tolist() == words32(n).astype(dtype).tolist()
    for dtype in ("int64", "uint64"):
        assert make().bits(n, dtype).numpy().tolist() == words64(n).astype(dtype).tolist()
    assert np.array_equal(make().uniform(n, "float32").numpy(), (words32(n) >> np.uint64(8)).astype("f4")
                          * np.float32(2.0**-24))
    assert np.array_equal(make().uniform(n, "float16").numpy(), ((words32(n) >> np.uint64(21)) * 2.0**-11).astype("f2"))
    assert np.array_equal(make().uniform(n, "float64").numpy(), (words64(n) >> np.uint64(11)) * 2.0**-53)
    low_high = make().uniform(n, "float64", low=-3.0, high=7.5).numpy()
    assert np.array_equal(low_high, -3.0 + 10.5 * ((words64(n) >> np.uint64(11)) * 2.0**-53))
    x = (words32(n) >> np.uint64(24)) * 2.0**-8
    assert np.array_equal(make().uniform(n, "bfloat16").astype("float32").numpy(), x.astype("f4"))


def test_normal_and_exponential_numbers_are_as_the_standard_says():
    n = 20001
    w = words64(n + 1)
    v, turn = ((w >> np.uint64(11)).astype("f8") + 0.5) * 2.0**-53, w[1::2] * (2 * np.pi / 2.0**64)
    r = np.sqrt(-2 * np.log(v[0::2]))
    expected = np.stack([r * np.cos(turn), r * np.sin(turn)], -1).reshape(-1)[:n]
    assert np.abs(Generator(9, 5).normal(n).numpy() - expected).max() < 2e-14
    scaled = Generator(9, 5).normal(n, mean=2.0, std=3.0).numpy()
    assert np.array_equal(scaled, 2.0 + 3.0 * Generator(9, 5).normal(n).numpy())
    assert np.allclose(Generator(9, 5).exponential(n).numpy(), -np.log(v[:n]), rtol=1e-14, atol=2e-16)
    w = words32(n + 3)
    v = ((w >> np.uint64(16)).astype("f4") * np.float32(2.0**-16)
         + ((w & np.uint64(0xffff)).astype("f4") + np.float32(0.5)) * np.float32(2.0**-32)).astype("f8")
    r, turn = np.sqrt(-2 * np.log(v[0::2])), w[1::2] * (2 * np.pi / 2.0**32)
    expected = np.stack([r * np.cos(turn), r * np.sin(turn)], -1).reshape(-1)[:n]
    assert np.abs(Generator(9, 5).normal(n, "float32").numpy() - expected).max() < 3e-6
    assert np.array_equal(Generator(9, 5).normal(n, "float16").numpy(),
                          Generator(9, 5).normal(n, "float32").numpy().astype("f2"))


def test_integers_are_those_of_the_standard_with_rejection():
    count = 3 * 2**30  # a quarter of the words is rejected
    w = words32(1000)
    expected = []
    for i, word in enumerate(w.tolist()):
        attempt = 0
        while (word * count) % 2**32 < 2**32 % count:
            attempt += 1
            word = int(philox([5 + i // 4], attempt << 32, 9)[0, i % 4])
        expected.append(-7 + (word * count >> 32))
    # 64-bit words differ
    assert Generator(9, 5).integers(-7, count - 7, 1000, "int64").numpy().tolist() != expected
    assert Generator(9, 5).integers(-7 - 2**31 + 7, count - 2**31, 1000, "int32").numpy().tolist() \
        == [x + 7 - 2**31 for x in expected]
    count, w = 3 * 2**61, words64(500)
    expected = []
    for i, word in enumerate(w.tolist()):
        attempt = 0
        while (word * count) % 2**64 < 2**64 % count:
            attempt += 1
            x = philox([5 + i // 2], attempt << 32, 9)[0].tolist()
            word = x[2 * (i % 2)] | x[2 * (i % 2) + 1] << 32
        expected.append(5 + (word * count >> 64))
    assert Generator(9, 5).integers(5, count + 5, 500, "uint64").numpy().tolist() == expected


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_reach_every_number_and_the_ends(dtype):
    info = np.iinfo(dtype)
    x = Generator(1).integers(-3 if info.min else 0, 4, 5000, dtype).numpy()
    assert x.dtype == dtype and set(x.tolist()) == set(range(-3 if info.min else 0, 4))
    whole = Generator(1).integers(info.min, info.max, 5000, dtype, endpoint=True).numpy()
    assert whole.min() < info.min * 0.9 + info.max * 0.1 and whole.max() > info.max * 0.9 + info.min * 0.1
    top = Generator(1).integers(info.max - 1, info.max, 64, dtype, endpoint=True).numpy()
    assert set(top.tolist()) == {info.max - 1, info.max}


def chi_square(x, distribution):
    low, high = int(x.min()), int(x.max())
    counts = np.bincount(x - low, minlength=high - low + 1)
    expected = distribution.pmf(np.arange(low, high + 1)) * len(x)
    usual = expected > 10
    return stats.chisquare(counts[usual], expected[usual] * counts[usual].sum() / expected[usual].sum()).pvalue


N = 50000
CONTINUOUS = {
    "uniform": (lambda g, t: g.uniform(N, t), stats.uniform()),
    "normal": (lambda g, t: g.normal(N, t), stats.norm()),
    "exponential": (lambda g, t: g.exponential(N, t, scale=2.0), stats.expon(scale=2)),
    "gamma 0.3": (lambda g, t: g.gamma(0.3, N, t), stats.gamma(0.3)),
    "gamma 2.5": (lambda g, t: g.gamma(2.5, N, t, scale=3.0), stats.gamma(2.5, scale=3)),
    "beta 0.5 0.7": (lambda g, t: g.beta(0.5, 0.7, N, t), stats.beta(0.5, 0.7)),
    "beta 3 40": (lambda g, t: g.beta(3, 40, N, t), stats.beta(3, 40)),
}


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_continuous_distributions(name, dtype):
    draw, distribution = CONTINUOUS[name]
    x = draw(Generator(11), dtype).numpy().astype("f8")
    assert stats.kstest(x, distribution.cdf).pvalue > 1e-3
    mean, deviation = distribution.mean(), distribution.std()
    assert abs(x.mean() - mean) < 5 * deviation / np.sqrt(N)
    assert abs(np.corrcoef(x[1:], x[:-1])[0, 1]) < 5 / np.sqrt(N)


@pytest.mark.parametrize("mean", [0.01, 1, 9.9, 10, 37.3, 1000, 1e7])
def test_poisson(mean):
    x = Generator(12).poisson(mean, N).numpy()
    assert abs(x.mean() - mean) < 5 * np.sqrt(mean / N)
    if mean < 1e6:
        assert chi_square(x, stats.poisson(mean)) > 1e-3


@pytest.mark.parametrize("draw, mean, deviation", [
    *[(lambda g, m=m: g.poisson(m, N), m, m**0.5) for m in (1e9, 1e13, 1e15, 1e18, 9.2e18)],
    *[(lambda g, n=n: g.binomial(n, 0.3, N), 0.3 * n, (0.21 * n) ** 0.5) for n in (10**10, 10**14, 2**53)]])
def test_large_counts_are_nearly_normal(draw, mean, deviation):
    """Also in the tails, where logarithms of probabilities cancel."""
    z = (draw(Generator(14)).numpy().astype("float64") - mean) / deviation
    assert stats.kstest(z, "norm").pvalue > 1e-3
    edges = np.array([-np.inf, -4, -3.5, -3, -2.5, -2, -1, 0, 1, 2, 2.5, 3, 3.5, 4, np.inf])
    expected = np.diff(stats.norm.cdf(edges)) * N
    assert stats.chisquare(np.histogram(z, edges)[0], expected).pvalue > 1e-3


@pytest.mark.parametrize("n,p", [(10, 0.3), (100, 0.05), (1000, 0.5), (1000, 0.97), (10**6, 0.2), (10**12, 1e-12)])
def test_binomial(n, p):
    x = Generator(13).binomial(n, p, N).numpy()
    assert abs(x.mean() - n * p) < 5 * np.sqrt(n * p * (1 - p) / N)
    assert x.min() >= 0 and x.max() <= n
    if n < 10**6:
        assert chi_square(x, stats.binom(n, p)) > 1e-3


def test_ends_of_the_domains():
    g = Generator(3)
    assert g.binomial(20, 1.0, 100).numpy().tolist() == [20] * 100
    assert not g.binomial(20, 0.0, 100).numpy().any() and not g.poisson(0.0, 100).numpy().any() \
        and not g.bernoulli(0.0, 100).numpy().any()
    assert g.bernoulli(1.0, 100).numpy().all()
    x = g.beta(1e-3, 1e-3, 2000).numpy()
    assert not np.isnan(x).any() and 0.4 < (x > 0.5).mean() < 0.6
    assert np.isfinite(g.gamma(1e-4, 1000).numpy()).all()
    assert g.uniform(100000, "float16").numpy().max() < 1 \
        and g.uniform(100000, "bfloat16").astype("float32").numpy().max() < 1
    assert g.poisson(1000.0, 10, "int8").numpy().tolist() == [127] * 10  # saturates


def test_masks():
    x = Generator(4).bernoulli(0.25, N).numpy()
    assert x.dtype == bool and abs(x.mean() - 0.25) < 5 * np.sqrt(0.25 * 0.75 / N)
    mask = Generator(4).dropout_mask((100, 500), 0.2).numpy()
    assert set(np.unique(mask).tolist()) == {0.0, 1.25} and abs((mask == 0).mean() - 0.2) < 0.01


def test_permutations_and_choices():
    order = Generator(5).permutation(1000).numpy()
    assert sorted(order.tolist()) == list(range(1000)) and order.tolist() != list(range(1000))
    assert order.tolist() == np.argsort(words64(1000, 5, 0), kind="stable").tolist()
    # All 24 permutations of four elements are equally frequent.
    g, seen = Generator(6), {}
    for _ in range(2400):
        one = tuple(g.permutation(4).tolist())
        seen[one] = seen.get(one, 0) + 1
    assert len(seen) == 24 and stats.chisquare(list(seen.values())).pvalue > 1e-3
    table = np.arange(12).reshape(4, 3)
    shuffled = Generator(7).permutation(tenon.asarray(table)).numpy()
    assert sorted(map(tuple, shuffled)) == sorted(map(tuple, table))
    picked = Generator(8).choice(10, (4, 5)).numpy()
    assert picked.shape == (4, 5) and picked.min() >= 0 and picked.max() < 10
    assert len(set(Generator(8).choice(10, 10, replace=False).tolist())) == 10
    x = Generator(8).choice(3, 20000, p=[0.2, 0.0, 0.8]).numpy()
    assert not (x == 1).any() and abs((x == 0).mean() - 0.2) < 0.02
    with pytest.raises(tenon.InvalidArgument, match="11 different elements"):
        Generator(8).choice(10, 11, replace=False)


def test_a_generator_is_a_value():
    g = Generator(42, 17)
    twins = [g.copy(), copy.copy(g), copy.deepcopy(g), pickle.loads(pickle.dumps(g))]
    first = g.normal(7).tolist()
    assert all(twin.normal(7).tolist() == first and twin == g for twin in twins)
    assert g.offset == 17 + 4 and g.normal(7).tolist() != first
    a, b = Generator(42).split(2)
    assert a.key != b.key and Generator(42).split(3)[:2] == [a, b]
    assert [one.key for one in Generator(42).split(2)] == [int(w[0]) | int(w[1]) << 32
                                                           for w in philox([0, 1], 0xffffffff73706c74, 42)]
    assert Generator(1).jump(3).bits(4).tolist() == Generator(1).bits(16).tolist()[12:]
    with pytest.raises(TypeError):
        hash(g)


def test_draws_in_parts_are_the_draw_as_a_whole():
    for draw in (lambda g, n: g.uniform(n, "float32"), lambda g, n: g.normal(n), lambda g, n: g.gamma(2.0, n),
                 lambda g, n: g.integers(10, shape=n)):
        whole, parts = Generator(3), Generator(3)
        assert draw(whole, 1024).tolist() == draw(parts, 256).tolist() + draw(parts, 768).tolist()
        assert whole == parts


def test_outputs_are_given_with_any_strides():
    memory = tenon.zeros((6, 8), "float32")
    view = memory[::2, ::-2]
    g = Generator(3)
    assert g.normal((3, 4), out=view) is view
    assert np.array_equal(view.numpy(), Generator(3).normal((3, 4), "float32").numpy())
    assert not memory.numpy()[1::2].any()
    host = np.zeros(5)
    Generator(3).uniform(5, out=host)
    assert np.array_equal(host, Generator(3).uniform(5).numpy())
    with pytest.raises(tenon.ShapeError):
        Generator(3).uniform((4, 4), out=view)
    view.numpy()[...] = 5
    with pytest.raises(tenon.ReadOnlyError):
        Generator(3).uniform((3, 4), out=tenon.zeros((1, 4), "float32").broadcast_to((3, 4)))


@pytest.mark.parametrize("call,words", [
    (lambda g: g.uniform(3, "int32"), "float16, bfloat16, float32 or float64 is needed"),
    (lambda g: g.integers(0, 300, 3, "uint8"), "do not fit uint8"),
    (lambda g: g.integers(5, 5, 3), "no integer from 5"),
    (lambda g: g.normal(3, std=0), "must be positive"),
    (lambda g: g.normal(3, std=float("inf")), "finite"),
    (lambda g: g.uniform(3, low=2.0, high=1.0), "a must not exceed b"),
    (lambda g: g.uniform(3, low=float("nan"), high=1.0), "finite"),
    (lambda g: g.bernoulli(1.5, 3), "a probability must be from 0 to 1"),
    (lambda g: g.gamma(-1.0, 3), "must be positive"),
    (lambda g: g.poisson(float("nan"), 3), "from 0 to 9.2"),
    (lambda g: g.poisson(9.3e18, 3), "from 0 to 9.2"),
    (lambda g: g.binomial(2.5, 0.5, 3), "must be an integer"),
    (lambda g: g.uniform((-1, 2)), "negative"),
    (lambda g: g.bits(3, "bool"), "integer dtype"),
])
def test_what_cannot_be_drawn_is_refused(call, words):
    g = Generator(1)
    with pytest.raises((tenon.TenonError, ValueError, TypeError), match=words):
        call(g)
    assert g.offset == 0


def test_c_options_and_unknown_distributions():
    out, options = ctypes.c_void_p(), _raw.tenon_random_options(stream=2**32)
    device = tenon.Device("cpu:0")
    shape = (ctypes.c_int64 * 1)(4)
    assert lib.tenon_random(device._handle, tenon.float32.code, 1, shape, 0, ctypes.byref(options), None,
                            ctypes.byref(out)) == _raw.TENON_ERROR_INVALID_ARGUMENT
    assert lib.tenon_random(device._handle, tenon.float32.code, 1, shape, 77, None, None, ctypes.byref(out)) \
        == _raw.TENON_ERROR_INVALID_ARGUMENT
    assert not out.value


HASHES = """
import sys, numpy as np, tenon, hashlib
from tenon.random import Generator
def show(x):
    bits = x.numpy() if x.dtype.name != "bfloat16" else x.view("uint16").numpy()
    print(hashlib.sha256(bits.tobytes()).hexdigest()[:16])
g = lambda: Generator(77, 2**32 - 3)
for draw in (lambda: g().normal(4099, "float32"), lambda: g().normal(1001), lambda: g().uniform(999, "bfloat16"),
             lambda: g().integers(0, 3 * 2**30, 1000, "uint32"), lambda: g().beta(0.4, 2.0, 300),
             lambda: g().poisson(37.5, 300)):
    show(draw())
"""


def test_every_device_code_and_instruction_set_gives_the_same_bits():
    """The CPU's instances for each instruction set, and the CUDA text compiled for the CPU."""
    def run(**more):
        done = run_python(HASHES, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    usual = run()
    assert len(usual) == 6
    assert run(TENON_CPU_ISA="x86-64-v2", TENON_CPU_THREADS="1") == usual
    assert run(TENON_CPU_ISA="x86-64-v3", TENON_CPU_THREADS="3") == usual
    assert run(TENON_OWN_KERNELS="1") == usual
