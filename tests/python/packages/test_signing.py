"""Signed packages and packages of host code from Python."""

import pytest

import tenon


@pytest.fixture
def secret():
    try:
        return tenon.plugins.new_signing_key()
    except tenon.MissingLibrary as error:
        pytest.skip(str(error))


def test_a_package_is_signed_and_loaded_by_those_who_trust(tmp_path, secret):
    name = f"signed{abs(hash(str(tmp_path))) % 10**9}"
    (tmp_path / "plugin.toml").write_text(f'name = "{name}"\n[op.same]\nparameters = ["in T x", "out T y"]\nelementwise = "y = x"\n')
    key = tenon.plugins.public_key(secret)
    with pytest.raises(tenon.TenonError, match="is not signed"):
        tenon.plugins.load(tmp_path, signed=True, trusted=[key])
    (tmp_path / "plugin.sig").write_text(tenon.plugins.sign(tmp_path, secret))
    with pytest.raises(tenon.TenonError, match="not trusted"):
        tenon.plugins.load(tmp_path, signed=True, trusted=[tenon.plugins.public_key(tenon.plugins.new_signing_key())])
    package = tenon.plugins.load(tmp_path, signed=True, trusted=[key])
    assert package.description["signature"] == {"key": key, "by": "", "checked": True, "trusted": True}
    with pytest.raises(ValueError, match="64 lower-case hexadecimal digits"):
        tenon.plugins.sign(tmp_path, "key")


def test_host_code_is_loaded_by_its_absolute_path():
    with pytest.raises(ValueError, match="not an absolute path"):
        tenon.plugins.load("checksum.so")
    with pytest.raises(tenon.NotFound):
        tenon.plugins.load("/nowhere/checksum.so")
