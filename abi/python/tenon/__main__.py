"""python -m tenon: runs the `tenon` command that was built or installed with the library."""

import os
import sys

from ._library import path

# In a wheel the command is next to the library's folder, in a build tree in the folder "tool", and installed in "bin".
PLACES = ("../bin/tenon", "../tool/tenon", "../../bin/tenon")


def main() -> None:
    folder = os.path.dirname(os.path.realpath(path)) if os.sep in path else ""
    for place in PLACES if folder else ():
        program = os.path.join(folder, place)
        if os.path.isfile(program):
            os.execv(program, ["tenon", *sys.argv[1:]])
    try:
        os.execvp("tenon", ["tenon", *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit(f"the tenon command was not found: it is built together with the library, which is {path}")


if __name__ == "__main__":
    main()
