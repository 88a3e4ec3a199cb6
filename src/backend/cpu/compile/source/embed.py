#!/usr/bin/env python3
"""Writes the CUDA shim headers as C++ text: embed.py OUTPUT.cpp DEPFILE SHIM_DIRECTORY.

The shim is divided into folders by subject, which are no part of its headers' names: kernels include <cuda_fp16.h> and
not <floats/cuda_fp16.h>, and so do the headers themselves. tenon_cuda.h gets the headers it includes put in place, so
that a compile opens one file for them; so do headers that include one of src/device. The headers of empty_headers.txt
are empty: what they declare for kernels is always available. Those of the folder cccl come before the toolkit's for
texts that use CUB, Thrust or more of libcu++ (compile/source/cccl.hpp).

Also writes a digest of the sources that decide what the compiler gets beside these headers (WRITERS). It is part of the
key of every program, so that no cache hides a change of them."""
import hashlib
import pathlib
import posixpath
import re
import sys


def headers_of(folder):
    """The paths of the shim's headers by the names that kernels use; without those of cccl."""
    found = {}
    for path in sorted(folder.rglob('[!.]*')):
        part, *rest = path.relative_to(folder).parts
        if path.is_file() and part not in ('cccl', 'empty_headers.txt'):
            name = '/'.join(rest) or part
            if name in found:
                raise ValueError(f'{path} and {found[name]} have one name for kernels')
            found[name] = path
    return found


def expanded(name, headers, seen):
    if name in seen:
        return ''
    seen.add(name)
    out = []
    for line in headers[name].read_text().splitlines(keepends=True):
        included = re.match(r'#include "(tenon_\w+\.h)"', line)
        out.append(expanded(included[1], headers, seen) if included else line)
    return ''.join(out)


def with_shared(text, sources):
    """The header with the shared headers of src/device that it includes."""
    return re.sub(r'#include "(device/\w+\.h)"\n',
                  lambda found: (sources / found[1]).read_text().replace('#pragma once\n', ''), text)


# Words of C++ and of the shim that no user redefines.
RESERVED = set("""alignas alignof and auto bool break case catch char class const constexpr continue decltype default define defined
delete do double else enum endif error explicit extern false float for friend goto if ifdef ifndef include inline int long mutable
namespace new noexcept not nullptr operator or pragma private protected public return short signed sizeof static static_assert struct
switch template this throw true try typedef typename undef union unsigned using virtual void volatile while once""".split())


def guarded(text):
    """The header with every word in it safe from macros of the user: they are set aside before it and come back after it."""
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', ' ', text, flags=re.S)
    defined = set(re.findall(r'#\s*define\s+(\w+)', code))
    words = sorted(w for w in set(re.findall(r'\b[A-Za-z]\w*', code)) - RESERVED - defined
                   if not w.lower().startswith('tenon_') and not w.startswith('CUDART'))
    before = ''.join(f'#pragma push_macro("{w}")\n#undef {w}\n' for w in words)
    after = ''.join(f'#pragma pop_macro("{w}")\n' for w in words)
    return before + text + after


def of_cccl(folder):
    """The headers of the folder cccl. Names of the host's library are libcu++'s, as for NVRTC; what it does not have is
    declared at most (tenon_cccl.h)."""
    headers = {f'cccl/{path.relative_to(folder)}': path.read_text()
               for path in sorted(folder.rglob('[!.]*')) if path.is_file() and path.suffix != '.txt'}
    for name in (folder / 'libcuxx_headers.txt').read_text().split():
        headers['cccl/' + name] = f'#pragma once\n#include <cuda/std/{name}>\n'
    for name in (folder / 'host_headers.txt').read_text().split():
        headers['cccl/' + name] = '#pragma once\n#include <iterator>\n#include <utility>\n'
    return headers


# What turns a kernel's text into a shared object.
WRITERS = ('text', 'ptx', 'compile')


def writers_of(backend):
    return sorted(path for part in WRITERS for path in (backend / part).rglob('*') if path.suffix in ('.cpp', '.hpp', '.inc'))


def digest_of(backend):
    """Of the names and contents of the sources, whatever the directory they lie in."""
    out = hashlib.sha256()
    for path in writers_of(backend):
        content = path.read_bytes()
        out.update(f'{path.relative_to(backend).as_posix()} {len(content)}\n'.encode() + content)
    return out.hexdigest()


def literal(text):
    # Compilers bound the length of one literal; adjacent ones are joined.
    parts = [text[i:i + 12000] for i in range(0, len(text), 12000)] or ['']
    return '\n'.join(f'R"tenon_text({part})tenon_text"' for part in parts)


def check_includes(headers):
    """Whatever a header includes by a name in quotation marks is a header that kernels get."""
    for name, text in headers.items():
        for included in re.findall(r'^#\s*include "([^"]+)"', text, re.M):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), included))
            if included not in headers and beside not in headers:
                raise ValueError(f'{name} includes "{included}", which is part of tenon_cuda.h or no header of the shim')


def main():
    output, depfile, folder = (pathlib.Path(word) for word in sys.argv[1:4])
    sources = folder.parents[2]
    found = headers_of(folder)
    seen = set()
    headers = {'tenon_cuda.h': expanded('tenon_cuda.h', found, seen)}
    for name, path in found.items():
        if name not in seen:
            headers[name] = guarded(with_shared(path.read_text(), sources))
    for name in (folder / 'empty_headers.txt').read_text().split():
        headers[name] = ''
    headers |= of_cccl(folder / 'cccl')
    check_includes(headers)
    rows = ',\n'.join(f'{{"{name}",\n{literal(text)}}}' for name, text in headers.items())
    output.write_text('// Made by embed.py from src/backend/cpu/shim.\n#include "backend/cpu/compile/source/shim.hpp"\n'
                      'namespace tenon::cpu {\n'
                      f'const ShimHeader shim_headers[] = {{\n{rows}\n}};\n'
                      f'const int shim_header_count = {len(headers)};\n'
                      f'const char writers_digest[] = "{digest_of(folder.parent)}";\n}}\n')
    # A directory changes when a file comes or goes.
    parts = [part for name in WRITERS for part in (folder.parent / name).rglob('*') if part.is_dir() and part.name != '__pycache__']
    inputs = [folder, *folder.rglob('*'), *(sources / 'device').glob('*.h'), *writers_of(folder.parent), *parts,
              *(folder.parent / name for name in WRITERS)]
    depfile.write_text(f'{sys.argv[1]}: ' + ' '.join(str(p).replace(' ', '\\ ') for p in inputs) + '\n')


if __name__ == '__main__':
    main()
