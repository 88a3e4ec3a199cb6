"""The table of commands: help, guesses, exit codes, JSON, colours, man page, completions."""

import os
import pty
import re
import shutil
import subprocess

import pytest

from command import DONE, PROGRAM, USAGE, environment, run, tenon, tenon_json

PATHS = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", tenon("--help").split("Commands:")[1].split("Exit codes:")[0], re.M)


def options_of(path):
    return re.findall(r"^  (?:-\w, |    )--([a-z-]+)", tenon(*path.split(), "--help"), re.M)


def on_a_terminal(*words, **variables):
    """The output of the command on a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], stdout=follower, stderr=follower, env=environment(TERM="xterm", **variables))
    os.close(follower)
    out = b""
    try:
        while part := os.read(leader, 65536):
            out += part
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    process.wait(60)
    return out.decode()


def test_the_commands_are_there():
    assert {"info", "plugin new", "plugin test", "completion"} <= set(PATHS)
    assert tenon() == tenon("help") == tenon("--help")
    assert tenon("help", "plugin", "test") == tenon("plugin", "test", "--help") == tenon("plugin", "help", "test")
    assert "plugin test" in tenon("plugin", "--help") and "info" not in tenon("plugin", "--help").split("Exit codes")[0]
    assert tenon("--version").startswith("tenon 1.")


@pytest.mark.parametrize("path", PATHS)
def test_every_command_has_help_and_json(path):
    text = tenon(*path.split(), "-h")
    assert text.startswith(f"Usage: tenon {path}") and "--json" in text and "--help" in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("words, guess", [
    (["plugn"], 'did you mean "plugin"?'), (["plugin", "tset"], 'did you mean "test"?'), (["inf"], 'did you mean "info"?'),
    (["plugin", "test", "x", "--devcie", "y"], 'did you mean "--device"?'), (["info", "--jsno"], 'did you mean "--json"?'),
    (["help", "plugin", "lsit"], 'did you mean "list"?'), (["frobnicate"], "there is: info"), (["plugin"], "needs one of: new"),
    (["plugin", "test"], "PACKAGE is missing"), (["plugin", "test", "a", "b"], '"b" is one argument too many'), (["plugin", "test", "--device"], "needs a value"),
    (["info", "--json=3"], "does not take a value"), (["info", "-z"], "there is no option -z"), (["--json", "info"], "options must follow the command"), ([""], "must not be empty"),
    (["completion", "tcsh"], "bash, zsh and fish"),
])
def test_a_wrong_word_is_answered_with_the_right_one(words, guess):
    done = run(*words)
    assert done.returncode == USAGE and guess in done.stderr
    assert done.stdout == "" or "--json" in words


def test_with_json_a_failure_is_a_document_too():
    answer = tenon_json("plugin", "test", "/nowhere/at/all", code=3)
    assert answer["error"]["exit_code"] == 3 and "/nowhere/at/all" in answer["error"]["message"]
    assert tenon_json("info", "--bad", code=USAGE)["error"]["status"] is None


def test_info_says_what_there_is():
    found = tenon_json("info")
    assert found["devices"][0]["name"] == "cpu:0" and found["report"]["cache"]["directory"]
    text = tenon("info")
    assert "cpu:0" in text and "cache" in text and found["devices"][0]["toolkit"] in text


def test_colours_are_for_terminals():
    assert "\033" not in tenon("info")
    assert "\033[1m" in on_a_terminal("info")
    assert "\033" not in on_a_terminal("info", NO_COLOR="1")
    assert "\033" not in on_a_terminal("info", "--json")


def test_a_full_disk_is_a_failure():
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "info"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment())
    assert done.returncode == 1 and "cannot be written" in done.stderr


def test_the_man_page_has_every_command_and_exit_code():
    page = tenon("manual")
    for path in PATHS:
        assert f'.SS "tenon {path}' in page
        for option in options_of(path):
            assert "\\-\\-" + option.replace("-", "\\-") in page
    if shutil.which("man"):
        done = subprocess.run(["man", "-l", "--warnings", "-"], input=page, capture_output=True, text=True, env=environment(LC_ALL="C.UTF-8"))
        assert done.returncode == 0 and done.stderr == ""


def completed(*words):
    """The completions that bash offers for the last of these words."""
    shell = tenon("completion", "bash") + '\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_tenon 2>/dev/null\nprintf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", shell, "bash", "tenon", *words], capture_output=True, text=True)
    return set(done.stdout.split())


def test_bash_completes_what_the_table_has():
    assert {path.split()[0] for path in PATHS} | {"--help", "--version"} == completed("")
    assert completed("plu") == {"plugin"}
    assert completed("plugin", "") == {path.split()[1] for path in PATHS if path.startswith("plugin ")} | {"--help"}
    for path in PATHS:
        assert completed(*path.split(), "--") == {f"--{option}" for option in options_of(path)}, path
    assert completed("plugin", "test", "x", "--device", "c") == {"cpu:0", "cuda:0"}
    assert completed("completion", "f") == {"fish"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_sound(shell, tmp_path):
    text = tenon("completion", shell)
    for path in PATHS:
        assert path.split()[-1] in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(text)
    done = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (DONE, "")
