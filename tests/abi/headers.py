#!/usr/bin/env python3
"""tests/abi/headers.py: each public header compiles alone, as C and as C++, without a warning, and so do its macros.

Usage: headers.py INCLUDE_DIRECTORY C_COMPILER... -- CXX_COMPILER...
"""
import subprocess
import sys
from pathlib import Path

STANDARDS = {"c": ["c99", "c11", "c17"], "c++": ["c++11", "c++17", "c++20"]}
WARNINGS = ["-pedantic", "-Wall", "-Wextra", "-Werror"]
MACROS = """
#include <tenon/argument.h>
void use(tenon_array* array, tenon_texture* texture, const void* bytes);
void use(tenon_array* array, tenon_texture* texture, const void* bytes) {
  tenon_arg args[] = {TENON_TEXTURE_ARG(texture), TENON_SURFACE_ARG(texture),
                      TENON_ARRAY_ARG(array), TENON_STRIDED_ARG(array), TENON_POINTER_ARG(bytes),
                      TENON_BYTES_ARG(bytes, 8), TENON_I32_ARG(-1), TENON_U32_ARG(1u), TENON_I64_ARG(-1),
                      TENON_U64_ARG(1u), TENON_F32_ARG(1.0f), TENON_F64_ARG(1.0), TENON_BOOL_ARG(1), TENON_I8_ARG(-1),
                      TENON_I16_ARG(-1), TENON_U8_ARG(1), TENON_U16_ARG(1), TENON_F16_ARG(0x3c00),
                      TENON_BF16_ARG(0x3f80), TENON_C64_ARG(1.0f, 2.0f), TENON_C128_ARG(1.0, 2.0)};
  uint32_t dtype = TENON_DTYPE(2, 32, 4);
  (void)args;
  (void)dtype;
}
"""
# A program or plug-in that also runs with an older Tenon requests a level that these headers support.
LEVELS = """
#define TENON_TARGET_LEVEL {level}
#include <tenon/tenon.h>
int use(const tenon_api* api);
int use(const tenon_api* api) {{ return TENON_HAS(api, array_zeros) && TENON_TARGET_LEVEL <= TENON_ABI_LEVEL; }}
"""


def fault(compiler: list[str], language: str, standard: str, include: str, text: str) -> str:
    command = [*compiler, "-x", language, f"-std={standard}", *WARNINGS, "-fsyntax-only", f"-I{include}", "-"]
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    return done.stderr or f"exit status {done.returncode}" if done.returncode else ""


def main() -> int:
    include, *rest = sys.argv[1:]
    middle = rest.index("--")
    compilers = {"c": rest[:middle], "c++": rest[middle + 1:]}
    headers = sorted(p.name for p in (Path(include) / "tenon").glob("*.h"))
    tries = [(f"tenon/{h}", l, s, f"#include <tenon/{h}>\n" * 2) for h in headers for l in STANDARDS for s in STANDARDS[l]]
    tries += [("the macros", l, s, MACROS) for l in STANDARDS for s in STANDARDS[l]]
    tries += [("a target level", l, STANDARDS[l][0], LEVELS.format(level="0x00010000")) for l in STANDARDS]
    failed = 0
    for level in ("0x00020000", "0x0001ff00", "0x00000900"):
        for language in STANDARDS:
            said = fault(compilers[language], language, STANDARDS[language][0], include, LEVELS.format(level=level))
            if "TENON_TARGET_LEVEL must be a level" not in said:
                failed += 1
                print(f"the target level {level}, which these headers do not have, gives: {said or 'no error'}")
    for what, language, standard, text in tries:
        problem = fault(compilers[language], language, standard, include, text)
        if problem:
            failed += 1
            print(f"{what} as {standard}:\n{problem}")
    print(f"{len(tries) - failed} of {len(tries)} compiled")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
