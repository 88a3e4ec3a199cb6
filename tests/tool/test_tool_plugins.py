"""`tenon plugin`: from a new package to its tests, and its messages for faulty packages."""

import subprocess

import pytest

from command import FAILED, MISSING, PROGRAM, ROOT, USAGE, environment, fails, run, tenon, tenon_json

KERNELS = ROOT / "kernels"


@pytest.fixture
def mine(tmp_path):
    tenon("plugin", "new", "mine", cwd=tmp_path)
    return tmp_path / "mine"


def test_a_new_package_is_sound_and_passes(mine):
    checked = tenon_json("plugin", "check", mine, "--device", "cpu:0")
    assert checked["valid"] and checked["packages"][0]["operations"] == 2 and checked["packages"][0]["compiled_for"] == ["cpu:0"]
    report = tenon_json("plugin", "test", mine)
    assert report["failed"] == 0 and report["passed"] >= 12 * len(report["devices"]) and report["devices"][0] == "cpu:0"
    assert any("gradient" in case["what"] for one in report["reports"] for case in one["cases"])


def test_new_refuses_what_it_cannot_make(tmp_path, mine):
    fails(FAILED, "already exists", "plugin", "new", "mine", cwd=tmp_path)
    for name in ["Mine", "3d", "a-b", "../a", "int", "x"]:
        fails(USAGE, name, "plugin", "new", name, cwd=tmp_path)
    fails(FAILED, "cannot be made", "plugin", "new", "other", "--in", mine / "plugin.toml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


def test_new_is_loadable_whatever_the_umask(tmp_path):
    subprocess.run(["sh", "-c", f"umask 000; exec {PROGRAM} plugin new open"], cwd=tmp_path, check=True, env=environment(), capture_output=True)
    assert tenon_json("plugin", "check", tmp_path / "open")["valid"]


def test_a_failing_test_is_told_with_its_line(mine):
    contract = mine / "plugin.toml"
    contract.write_text(contract.read_text().replace("[12.0, 24.0, 36.0]", "[12.0, 24.0, 37.0]"))
    report = tenon_json("plugin", "test", mine, "--device", "cpu:0", code=FAILED)
    assert report["failed"] == 2 and report["passed"] == 10
    done = run("plugin", "test", mine)
    assert done.returncode == FAILED and "failed" in done.stdout and "plugin.toml:15" in done.stdout and "error 0.027" in done.stdout


def test_a_wrong_gradient_is_found(mine):
    contract = mine / "plugin.toml"
    contract.write_text(contract.read_text().replace("grad_x = a * grad_r;", "grad_x = a + grad_r;"))
    report = tenon_json("plugin", "test", mine, "--device", "cpu:0", "--op", "mine", code=FAILED)
    wrong = [case for one in report["reports"] for case in one["cases"] if not case["passed"]]
    assert wrong and all(case["what"] == "gradient for x" for case in wrong)


def test_a_gradient_without_a_test_of_its_own_is_said_to_be_tested_by_what_it_is_the_gradient_of(mine):
    text = """name = "mine"
[op.twice]
parameters = ["in T x", "out T y"]
elementwise = "y = 2 * x"
gradient = "twice_gradient"
test = [{ given = { x = "normal(5)" } TELL }]
[op.twice_gradient]
parameters = ["in T grad_y", "out T grad_x"]
elementwise = "grad_x = 2 * grad_y"
"""
    (mine / "plugin.toml").write_text(text.replace("TELL", ""))
    report = tenon_json("plugin", "test", mine, "--device", "cpu:0")
    assert report["untested"] == [] and report["tested_by"] == {"twice_gradient": "twice"}
    assert "mine/twice_gradient against differences, by the tests of twice" in tenon("plugin", "test", mine, "--device", "cpu:0")
    (mine / "plugin.toml").write_text(text.replace("TELL", ", gradient = false"))  # now it is not tested at all
    report = tenon_json("plugin", "test", mine, "--device", "cpu:0")
    assert report["untested"] == ["twice_gradient"] and report["tested_by"] == {}


GATHER = """name = "mine"
[op.gather]
types = { T = ["float32", "float64"], I = ["int32", "int64"] }
parameters = ["in raw T x[n]", "in I at[m]", "in float32 scale[m]", "out T y[m]", "out saved T squares[m]", "out int32 seen[m]"]
elementwise = "y = x[at] * x[at] * scale; squares = x[at] * x[at]; seen = int(at)"
gradient = "gather_gradient"
test = [
  { given = { x = "uniform(9) from 1 to 2", at = [0, 3, 3, 8], scale = "uniform(4) from 1 to 2" } },
  { name = "many", given = { x = "uniform(300) from 1 to 2", at = "integers(200) from 0 to 300", scale = "ones(200)" } },
]
[op.gather_gradient]
types = { T = ["float32", "float64"], I = ["int32", "int64"] }
parameters = ["in T x[n]", "in I at[m]", "in float32 scale[m]", "in T grad_y[m]", "in T squares[m]", "out T grad_x[n]"]
kernel = "gather_gradient<T, I>"
source = "mine.cu"
arguments = ["x", "at", "scale", "grad_y", "grad_x", "n", "m"]
threads = "n"
"""
SCATTER = """template <class T, class I>
__global__ void gather_gradient(const T* x, const I* at, const float* scale, const T* grad_y, T* grad_x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = 0; k < m; ++k) if (at[k] == i) sum += 2 * x[i] * T(scale[k]) * grad_y[k];
  grad_x[i] = sum;
}
"""


def gather(mine, kernel=SCATTER):
    (mine / "plugin.toml").write_text(GATHER)
    (mine / "mine.cu").write_text(kernel)
    return run("plugin", "test", mine, "--device", "cpu:0", "--json")


def faults(done):
    import json
    report = json.loads(done.stdout)
    return report, [case["what"] for one in report["reports"] for case in one["cases"] if not case["passed"]]


def test_a_gradient_with_integer_arrays_and_outputs_that_have_none_is_compared(mine):
    """Arrays of the gradient have their declared dtypes; saved outputs and integer outputs are not differentiated."""
    report, wrong = faults(gather(mine))
    assert wrong == []
    compared = [case for one in report["reports"] for case in one["cases"] if case["what"] == "gradient for x"]
    assert {(case["types"]["T"], case["types"]["I"]) for case in compared} == {("float64", "int32"), ("float64", "int64")} and len(compared) == 4
    shown = tenon_json("plugin", "show", f"{mine}/gather")["operations"][0]
    assert [one["name"] for one in shown["parameters"] if one.get("saved")] == ["squares"]
    assert "out saved T squares[m]" in tenon("plugin", "show", f"{mine}/gather")


def test_a_gradient_gets_the_operations_defaults(mine):
    (mine / "plugin.toml").write_text("""
name = "mine"
version = "1.0.0"
[op.square]
parameters = ["in float64 x", "scalar float32 by = -2", "scalar {none, once} kind = once", "out float64 y"]
elementwise = "y = by * kind * x * x"
gradient = "square_gradient"
test = [{ given = { x = "normal(5)" }, expect = { y = "-2 * x * x" } }]
[op.square_gradient]
parameters = ["in float64 x", "scalar float32 by", "scalar {none, once} kind", "in float64 grad_y", "out float64 grad_x"]
elementwise = "grad_x = 2 * by * kind * x * grad_y"
""")
    report, wrong = faults(run("plugin", "test", mine, "--device", "cpu:0", "--json"))
    assert wrong == [] and any(case["what"] == "gradient for x" for one in report["reports"] for case in one["cases"])


@pytest.mark.parametrize("old, new", [("2 * x[i]", "x[i]"), ("sum += 2", "sum += (n == 9 && i == 3 ? 3 : 2)"), ("sum += 2", "sum += (i > 290 && k > 100 ? 0 : 2)")])
def test_an_error_in_any_element_of_a_gradient_is_found(mine, old, new):
    """A few elements are checked one by one; with many, each direction includes all of them."""
    assert old in SCATTER
    report, wrong = faults(gather(mine, SCATTER.replace(old, new)))
    assert wrong and set(wrong) == {"gradient for x"}, wrong


def test_a_write_behind_an_array_is_found_by_the_tests(mine):
    source = mine / "mine.cu"
    source.write_text(source.read_text().replace("if (i < n) r[i]", "if (i < n + 1) r[i]"))
    report, wrong = faults(run("plugin", "test", mine, "--device", "cpu:0", "--op", "mine", "--json"))
    assert len(wrong) == 1 and wrong[0].startswith("in the checked mode: "), wrong


def test_bits_that_differ_between_two_calls_are_found_where_the_contract_promises_the_same(mine):
    (mine / "mine.cu").write_text("""__device__ unsigned calls;
template <class T> __global__ void mine(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + T(i == 0 ? 1e-6 * atomicAdd(&calls, 1u) : 0);
}
""")
    text = 'name = "mine"\n[op.mine]\nparameters = ["in T x", "out T y"]\nkernel = "mine<T>"\ntest = [{ given = { x = "ones(3)" }, absolute = 1 }]\n'
    (mine / "plugin.toml").write_text(text)
    report, wrong = faults(run("plugin", "test", mine, "--device", "cpu:0", "--json"))
    assert len(wrong) == 2 and all("declare deterministic = false" in what for what in wrong), wrong
    (mine / "plugin.toml").write_text(text + "deterministic = false\n")
    assert faults(run("plugin", "test", mine, "--device", "cpu:0", "--json"))[1] == []


def test_complex_numbers_are_given_and_expected(mine):
    text = """name = "mine"
[op.mine]
types = { T = "complex" }
parameters = ["in T x", "out T y"]
elementwise = "y = x * x"
test = [{ given = { x = [["1+2i", 3], ["-0.5i", "2-1e0i"]] }, expect = { y = [["-3+4i", 9], [-0.25, "3-4i"]] } }]
"""
    (mine / "plugin.toml").write_text(text)
    assert tenon_json("plugin", "test", mine, "--device", "cpu:0")["failed"] == 0
    for wrong in ('"-3+5i"', '"-3-4i"', "-3"):
        (mine / "plugin.toml").write_text(text.replace('"-3+4i"', wrong))
        assert tenon_json("plugin", "test", mine, "--device", "cpu:0", code=FAILED)["failed"] == 2
    (mine / "plugin.toml").write_text(text.replace('"complex"', '["float32"]'))
    assert "complex numbers were given for float32" in faults(run("plugin", "test", mine, "--device", "cpu:0", "--json"))[1][0]


def test_a_default_that_follows_from_shapes_is_known_to_expectations(mine):
    (mine / "plugin.toml").write_text("""name = "mine"
[op.mine]
parameters = ["in T x[n, m]", "scalar int64 last = x.shape[1] - 1", "out T y[n, m]"]
elementwise = "y = x * last"
test = [{ given = { x = "normal(3, 5)" }, expect = { y = "4 * x + 0 * last + (last - 4) * 1000" } }]
""")
    assert tenon_json("plugin", "test", mine, "--device", "cpu:0")["failed"] == 0


def test_texts_of_packages_do_not_command_the_terminal(mine, tmp_path):
    """Control sequences for terminals are rejected in contracts, and printed in escaped form if they come from
    elsewhere."""
    (mine / "plugin.toml").write_text('name = "mine"\ndoc = "\\u001b]0;title\\u0007"\n')
    fails(FAILED, "control character", "plugin", "show", mine)
    (mine / "plugin.toml").write_text('name = "mine"\n\x1b[2J = 1\n')
    done = run("plugin", "show", mine)
    assert done.returncode == FAILED and "\x1b" not in done.stderr + done.stdout
    odd = tmp_path / "a\x1b]0;title\x07"
    done = run("plugin", "show", odd)
    assert done.returncode == MISSING and "\x1b" not in done.stderr and "\\x1b]0;title\\x07" in done.stderr
    odd.mkdir()
    (odd / "plugin.toml").write_text('name = "odd"\n[op.f]\nparameters = ["in T x", "out T y"]\nelementwise = "y = x"\n')
    shown = tenon("plugin", "show", odd)
    assert "\x1b" not in shown and "\\x1b]0;title" in shown


def test_a_package_without_tests_is_no_success(mine):
    contract = mine / "plugin.toml"
    contract.write_text('name = "mine"\n[op.mine]\nparameters = ["in T x", "out T y"]\nelementwise = "y = x"\n')
    done = run("plugin", "test", mine)
    assert done.returncode == FAILED and "no test" in done.stderr


def test_faults_are_told_with_line_and_column(mine):
    contract = mine / "plugin.toml"
    contract.write_text(contract.read_text().replace('threads = "x.size"', 'threads = "x.sise"'))
    done = run("plugin", "check", mine, KERNELS / "elementwise")
    assert done.returncode == FAILED and f"{contract}:12:14" in done.stdout and "valid" in done.stdout
    rows = tenon_json("plugin", "check", mine, KERNELS / "elementwise", code=FAILED)["packages"]
    assert [row["valid"] for row in rows] == [False, True] and rows[0]["status"] == "TENON_ERROR_INVALID_ARGUMENT"
    fails(FAILED, "no `sise`", "plugin", "test", mine)


def test_a_text_that_does_not_compile_is_shown_with_the_compilers_words(mine):
    source = mine / "mine.cu"
    source.write_text(source.read_text().replace("a * x[i]", "a * z[i]"))
    assert tenon_json("plugin", "check", mine)["valid"]  # nothing was compiled
    row = tenon_json("plugin", "check", mine, "--device", "cpu:0", code=FAILED)["packages"][0]
    assert row["status"] == "TENON_ERROR_COMPILE" and "mine.cu:5" in row["log"]


def test_packages_are_listed_and_found_by_name(mine):
    listed = tenon_json("plugin", "list", "--path", mine.parent)["packages"]
    assert [(one["name"], one["version"], one["origin"]) for one in listed if one["name"] == "mine"] == [("mine", "0.1.0", str(mine))]
    assert "mine 0.1.0" in tenon("plugin", "list", TENON_PLUGIN_PATH=str(mine.parent))
    fails(USAGE, "absolute", "plugin", "list", "--path", "here")
    assert tenon_json("plugin", "test", "mine/mine", "--device", "cpu:0", TENON_PLUGIN_PATH=str(mine.parent))["package"] == "mine 0.1.0"
    fails(MISSING, "there is no package", "plugin", "test", "mine", cwd=mine)  # the current directory is not searched
    (mine / "plugin.toml").write_text("name = 3")
    done = run("plugin", "list", "--path", mine.parent)
    assert done.returncode == FAILED and "plugin.toml:1:" in done.stdout


def test_show_says_what_the_contract_says(mine):
    shown = tenon_json("plugin", "show", mine)
    assert [operation["name"] for operation in shown["operations"]] == ["mine", "mine_gradient"] and len(shown["hash"]) == 64
    text = tenon("plugin", "show", f"{mine}/mine")
    assert "in T x[...]" in text and "scalar T a = 2" in text and "gradient mine_gradient" in text and "mine/mine_gradient" not in text
    assert tenon("plugin", "show", mine, "--source", "mine.cu") == (mine / "mine.cu").read_text()
    fails(MISSING, 'did you mean "mine"?', "plugin", "show", f"{mine}/mien")
    fails(MISSING, "mine.cu", "plugin", "show", mine, "--source", "other.cu")


def test_a_device_that_is_not_there_is_said(mine):
    fails(MISSING, "cuda:63", "plugin", "test", mine, "--device", "cuda:63")
    fails(MISSING, "cpu:0", "plugin", "test", mine, "--device", "gpu")


def test_the_packages_of_the_house_are_sound_and_one_of_them_passes():
    rows = tenon_json("plugin", "check", *sorted(path.parent for path in KERNELS.glob("*/plugin.toml")))["packages"]
    assert {"elementwise", "image"} <= {row["name"] for row in rows}
    assert tenon_json("plugin", "test", KERNELS / "elementwise")["failed"] == 0


TUNABLE = """name = "mine"
[op.mine]
parameters = ["in T x", "out T y"]
kernel = "mine<T>"
arguments = ["x", "y", "rounds", "x.size"]
threads = "x.size"
tunables = { rounds = [2000, 1] }
bench = [{ given = { x = "uniform(5000)" }, types = { T = "float32" } }]
"""
ROUNDS = """template <class T> __global__ void mine(const T* x, T* y, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < rounds; ++k) sum += x[(i + k) % n];
  if (i < n) y[i] = sum < 0 ? 1 : 2;
}
"""


def test_bench_and_tune(mine, tmp_path):
    (mine / "plugin.toml").write_text(TUNABLE)
    (mine / "mine.cu").write_text(ROUNDS)
    records = {"TENON_TUNING_DIR": str(tmp_path / "records")}
    before = tenon_json("plugin", "bench", mine, "--device", "cpu:0", "--seconds", "0.1", **records)["reports"][0]["cases"][0]
    assert before["tunables"] == {"rounds": 2000} and before["milliseconds"] > 0 and before["bytes"] == 40000
    report = tenon_json("plugin", "tune", mine, "--device", "cpu:0", "--seconds", "2", **records)["reports"][0]
    assert report["cases"][0]["tunables"] == {"rounds": 1} and report["file"] == str(tmp_path / "records/mine.mine.json")
    after = tenon_json("plugin", "bench", mine, "--device", "cpu:0", "--seconds", "0.1", "-g", "x=ones(6000)", "-t", "T=float32", **records)["reports"][0]["cases"][0]
    assert after["tunables"] == {"rounds": 1} and after["milliseconds"] > 0
    assert "2 of 2 tried" in tenon("plugin", "tune", mine, "--device", "cpu:0", "--seconds", "1", **records)
    fails(USAGE, "--given must be written", "plugin", "bench", mine, "-g", "x")
    fails(USAGE, "--seconds", "plugin", "bench", mine, "-s", "soon")
    fails(FAILED, "no operation with tunables", "plugin", "tune", KERNELS / "elementwise")
    fails(USAGE, "needs one operation", "plugin", "bench", KERNELS / "elementwise", "-g", "x=ones(3)")


def test_what_is_no_package_is_said_in_its_own_words(mine, tmp_path):
    fails(MISSING, "no file or directory ./nix", "plugin", "test", "./nix", cwd=tmp_path)
    assert "shared object" in tenon_json("plugin", "check", tmp_path / "x.so", code=FAILED)["packages"][0]["fault"]
    import gzip
    tenon("plugin", "pack", mine, "-o", tmp_path / "mine.tar")
    (tmp_path / "mine.tgz").write_bytes(gzip.compress((tmp_path / "mine.tar").read_bytes()))
    assert "is compressed" in tenon_json("plugin", "check", tmp_path / "mine.tgz", code=FAILED)["packages"][0]["fault"]
    (mine / "plugin.sig").write_text("")
    assert "plugin.sig is empty" in tenon_json("plugin", "check", mine, code=FAILED)["packages"][0]["fault"]
    tenon("plugin", "new", "a" * 64, cwd=tmp_path)


def test_a_packed_package_is_the_package(mine, tmp_path):
    packed = tenon_json("plugin", "pack", mine, cwd=tmp_path)
    assert packed["file"] == "mine-0.1.0.tar" and (tmp_path / "mine-0.1.0.tar").stat().st_size == packed["bytes"]
    assert tenon_json("plugin", "test", tmp_path / "mine-0.1.0.tar", "--device", "cpu:0")["passed"] == 12
    first = (tmp_path / "mine-0.1.0.tar").read_bytes()
    tenon("plugin", "pack", mine, "-o", tmp_path / "again.tar")
    assert (tmp_path / "again.tar").read_bytes() == first
    (tmp_path / "again.tar").write_bytes(first.replace(b"a * x[i]", b"a + x[i]"))
    fails(FAILED, "was changed after packing", "plugin", "test", tmp_path / "again.tar")


def test_signing_with_a_key_of_ones_own(mine, tmp_path):
    variables = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    fails(MISSING, "there is no key", "plugin", "sign", mine, **variables)
    done = run("plugin", "sign", mine, "--new-key", "--json", **variables)
    if "libsodium" in done.stdout:
        pytest.skip("libsodium is not installed")
    import json
    signed = json.loads(done.stdout)
    assert (mine / "plugin.sig").exists() and (tmp_path / "config/tenon/signing_key").stat().st_mode & 0o777 == 0o600
    fails(FAILED, "already exists", "plugin", "sign", mine, "--new-key", **variables)
    assert tenon_json("plugin", "check", mine, **variables)["packages"][0]["signature"]["trusted"] is False
    assert "which is not trusted" in tenon_json("plugin", "check", mine, "--signed", code=FAILED, **variables)["packages"][0]["fault"]
    assert tenon_json("plugin", "check", mine, "--signed", "--trust", signed["key"], **variables)["valid"]
    (tmp_path / "config/tenon/trusted_keys").write_text(f"ed25519 {signed['key']} Ada\n")
    assert "signed by Ada" in tenon("plugin", "check", mine, "--signed", **variables)
    tenon("plugin", "test", mine, "--device", "cpu:0", TENON_SIGNED_PACKAGES="1", **variables)
    (mine / "mine.cu").write_text((mine / "mine.cu").read_text() + "\n")
    fails(FAILED, "does not match the content", "plugin", "test", mine, **variables)
    (tmp_path / "config/tenon/signing_key").chmod(0o644)
    fails(FAILED, "can be read by other users", "plugin", "sign", mine, **variables)


def test_a_package_of_host_code_is_tested_and_run(tmp_path):
    from command import BUILD
    module = BUILD / "examples/plugin/checksum.so"
    if not module.exists():
        pytest.skip("zlib is not installed")
    assert tenon_json("plugin", "test", module)["passed"] == 3
    import zlib

    import numpy
    numpy.save(tmp_path / "data.npy", numpy.frombuffer(b"tenon" * 1000, "uint8"))
    tenon("run", f"{module}/crc32", "data.npy", "-d", "cpu:0", "-o", "sum.npy", cwd=tmp_path)
    assert numpy.load(tmp_path / "sum.npy").tolist() == [zlib.crc32(b"tenon" * 1000)]
