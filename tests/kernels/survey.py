"""tests/kernels/survey.py FOLDER...: what the CPU device makes of the device code of other projects.

Takes the device code of every .cu below each folder (the folder itself is the user's: no source of it is kept), compiles
it for the CPU, and prints how many files compile, how their kernels run, and why the others do not, grouped by the
sentence of the refusal. Counts the instructions of inline PTX too, and marks those that no reader is there for.

Device code: functions marked __global__ or __device__, variables marked __device__, __constant__ or __shared__, types,
templates, macros and namespaces. Functions of the host and includes of its headers are left out. What that rule takes
for the host's comes back if the compiler misses its name, and what it took too much of goes where the compiler stumbles
over it. Headers in quotation marks are searched beside the file and below -I, and are treated alike. Kernels: those
without template parameters, and instances that a launch in the file names by literals.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SHIM = HERE.parent.parent / "src/backend/cpu/shim"
INSTRUCTIONS = HERE.parent.parent / "src/backend/cpu/ptx/instruction.cpp"
DEVICE = re.compile(r"\b__(global|device|constant|shared|managed)__\b|\bCUDA_CALLABLE\b")
HOST_ONLY = re.compile(r"\b(std::(vector|string|map|ostream|cout|cerr|chrono|mt19937|unique_ptr|function|mutex|thread)|"
                       r"FILE|cudaError_t|cudaStream_t|cudaEvent_t|cublas\w+|curandGenerator_t|cufft\w+|torch::|at::)\b")
ONCE = re.compile(r"#\s*pragma\s+once|\A\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b")
SIZES = re.compile(r"\b(sizeof|alignas|__align__|__builtin_align__|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)")
MOST_MENDS = 16
WAYS = {1: "loop", 2: "regions", 4: "ring", 8: "scheduled"}


@functools.cache
def known_headers():
    empty = (SHIM / "empty_headers.txt").read_text().split()
    parts = [path for path in SHIM.iterdir() if path.is_dir() and path.name != "cccl"]  # which are no part of a header's name
    return {str(path.relative_to(part)) for part in parts for path in part.rglob("*") if path.is_file()} | set(empty)


def without_comments(text):
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def keep(match):
        word = match.group(0)
        return word if word[0] in "\"'" else " " + "\n" * word.count("\n")

    return re.sub(pattern, keep, text.replace("\\\r\n", "\\\n"), flags=re.DOTALL)


def chunks(text):
    """The declarations and definitions of a text without comments, and its preprocessor lines."""
    at = begin = depth = 0
    while at < len(text):
        if depth == 0 and text[at] == "#" and not text[begin:at].strip():
            end = at
            while True:
                end = text.find("\n", end)
                if end < 0 or text[end - 1] != "\\":
                    break
                end += 1
            end = len(text) if end < 0 else end + 1
            yield text[at:end]
            begin = at = end
            continue
        word = text[at]
        if word in "\"'":
            found = re.compile(word + r"(?:\\.|[^\\\n" + word + "])*" + word).match(text, at)
            at = found.end() if found else at + 1
            continue
        if word == "#" and text[text.rfind("\n", 0, at) + 1 : at].strip() == "":
            at = text.find("\n", at) if text.find("\n", at) > 0 else len(text)
            continue
        depth += (word in "{(") - (word in "})")
        at += 1
        if depth <= 0 and word == ";":
            depth = 0
            yield text[begin:at]
            begin = at
        elif depth <= 0 and word == "}":
            depth = 0
            rest = re.compile(r"\s*;").match(text, at)
            head = text[begin : text.find("{", begin)]
            plain = SIZES.sub("", head)
            function = re.search(r"\)\s*(const|noexcept|override)?\s*$", plain)
            if rest or (not function and re.search(r"\b(struct|class|union|enum|typedef)\b(?!.*\()", plain, re.DOTALL)):
                if not rest and "=" not in head:
                    stop = text.find(";", at)
                    at = stop + 1 if 0 <= stop < at + 200 else at
                else:
                    at = rest.end() if rest else at
            yield text[begin:at]
            begin = at
    if text[begin:].strip():
        yield text[begin:] + "\n"


class Extractor:
    """The text of a file as a list of pieces, of which the device code is made."""

    def __init__(self, folders):
        self.folders = folders
        self.seen = set()
        self.pieces = []  # [text, whether it is device code, whether that may change]
        self.marks = set()  # macros that stand for __device__ and the like

    def device_code(self, path):
        text = without_comments(path.read_text(errors="replace"))
        if path in self.seen:
            return
        if path.suffix in (".cu", ".cuh") or ONCE.search(text):
            self.seen.add(path)  # others may be included for another part each time
        for chunk in chunks(text):
            self.part(chunk, path)

    def fixed(self, text):
        self.pieces.append([text, True, False])

    def part(self, chunk, path):
        text = chunk.strip()
        if text.startswith("#"):
            self.directive(text, path)
            return
        head = text.split("{", 1)[0]
        namespace = re.match(r'(inline\s+)?namespace\b[^=;({]*$|extern\s+"C"\s*$', head.strip())
        if namespace and "{" in text:
            inside = text.split("{", 1)[1].rsplit("}", 1)[0]
            self.fixed(head + "{\n")
            for each in chunks(inside):
                self.part(each, path)
            self.fixed("}\n")
            return
        marked = bool(self.marks) and any(word in self.marks for word in re.findall(r"\w+", head))
        ifs = len(re.findall(r"^\s*#\s*if", text, re.MULTILINE)) - len(re.findall(r"^\s*#\s*endif", text, re.MULTILINE))
        if ifs:
            self.fixed(chunk + "\n")  # it is more than one declaration
        else:
            self.pieces.append([chunk + "\n", marked or self.belongs(text, head), True])

    def text(self):
        return "".join(text for text, kept, _ in self.pieces if kept)

    def mend(self, errors):
        """Takes or drops what the compiler's errors, pairs of a line of text() and a sentence, are about. False if nothing is."""
        changed, lines = False, []
        for piece in self.pieces:
            if piece[1]:
                lines += [piece] * piece[0].count("\n")
        for line, sentence in errors:
            name = re.search(r"(?:undeclared identifier|unknown type name|no template named|no type named|not declared|"
                             r"undeclared|no member named|does not name a type|is not a class) ?[^'\"‘]*['\"‘](\w+)", sentence)
            name = name or re.search(r"['\"‘](\w+)['\"’] (?:was not declared|does not name a type|is not a type)", sentence)
            if undefined := re.match(r"undefined reference to .(?:\w+::)*(\w+)", sentence):
                name = undefined
            for piece in self.pieces:
                if name and piece[2] and not piece[1] and (not undefined or "{" in piece[0]) and declares(piece[0], name.group(1)):
                    piece[1] = changed = True
                    break
            else:
                piece = lines[line - 1] if 0 < line <= len(lines) else None
                if piece and piece[2] and piece[1] and not DEVICE.search(piece[0]):
                    piece[1], piece[2], changed = False, False, True  # it does not come back
        return changed

    @staticmethod
    def belongs(text, head):
        if DEVICE.search(head):
            return True
        if HOST_ONLY.search(text):
            return False
        if re.match(r"(template\s*<.*?>\s*)?(struct|class|union|enum)\b", head, re.DOTALL):
            return "(" not in SIZES.sub("", text) or DEVICE.search(text) is not None
        if re.match(r"(namespace\s+\w+\s*=|typedef\b|using\b|static_assert\b|(static\s+|inline\s+)*constexpr\b)", head):
            return True
        if re.match(r"template\s*<.*>\s*(static\s+|inline\s+)*constexpr\b[^(]*=", head, re.DOTALL):
            return True
        if re.match(r"template\b", head) and "{" in text:
            return DEVICE.search(text) is not None
        return re.match(r"(static\s+)?const\s+(unsigned\s+|static\s+)?(int|float|double|unsigned|size_t|long|char|bool)\b[^({]*=",
                        head) is not None

    def directive(self, text, path):
        include = re.match(r'#\s*include\s*([<"])([^>"]+)[>"]', text)
        if not include:
            mark = re.match(r"#\s*define\s+(\w+)\s[^(]*__(device|global)__", text)
            if mark:
                self.marks.add(mark.group(1))
            if not re.match(r"#\s*(error|warning|pragma\s+once)", text):
                self.fixed(text.rstrip("\\ \t\n") + "\n")  # a macro may end in a backslash and an empty line
            return
        name = include.group(2)
        if name in known_headers():
            self.fixed(f"#include <{name}>\n")
            return
        for folder in [path.parent, *self.folders]:
            if (folder / name).is_file():
                self.device_code((folder / name).resolve())
                return
        if name.startswith(("cublas", "cudnn")):  # these include them
            self.fixed("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n")
        elif name.startswith(("cub/device/", "thrust/device_", "thrust/host_", "thrust/universal_")):
            pass  # for code of the host
        elif name.startswith(("cub/", "thrust/", "cutlass/", "cute/", "cuda/")) or "curand" in name:
            self.fixed(f"#include <{name}>\n")


def declares(text, name):
    """Whether a declaration or definition is one of that name."""
    head = text.split("{", 1)[0]
    if re.search(rf"\b(struct|class|union|enum(\s+class)?)\s+(\w+\s*\([^)]*\)\s*)?{name}\b", text):
        return True
    if re.match(r"\s*(typedef\b.*)?enum\b", head, re.DOTALL) and re.search(rf"[{{,]\s*{name}\s*[,=}}]", text):
        return True
    if re.match(r"\s*typedef\b", head):
        return re.search(rf"\b{name}\s*(\[[^\]]*\]\s*)*;\s*$|\(\s*\*\s*{name}\s*\)", text) is not None
    if re.search(rf"\busing\s+{name}\s*=|\busing\s[^;]*\b{name}\s*;", text):
        return True
    if re.search(rf"[\w>*&]\s+[*&]*\s*{name}\s*\(", head):  # a function
        return True
    return "(" not in head.split("=")[0] and re.search(rf"[\w>*&,]\s*[*&]*\s*\b{name}\s*(\[[^\]]*\]\s*)*(=|;|,|$)", head) is not None


def kernels_of(code, whole):
    """Names of kernels, and of instances that a launch in the file names."""
    names, templates, scopes = [], set(), []
    for match in re.finditer(r"\bnamespace\s+([\w:]*)\s*\{|[{}]|\b__global__\b|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", code):
        if match.group(0)[0] in "{}n":
            scopes = scopes[:-1] if match.group(0) == "}" else [*scopes, match.group(1) or ""]
        if match.group(0) != "__global__":
            continue
        head = code[match.start() : match.start() + 600].split("{")[0]
        head = re.sub(r"__launch_bounds__\s*\([^()]*(\([^()]*\))*[^()]*\)|__attribute__\s*\(\(.*?\)\)", " ", head)
        found = re.search(r"(\w+)\s*\(", head)
        if not found or ";" in head.split(")")[0]:
            continue
        before = code[max(0, match.start() - 300) : match.start()]
        if re.search(r"template\s*<[^;{}]*>\s*(static\s+|inline\s+|extern\s+|\"C\"\s*)*$", before):
            templates.add(found.group(1))
        else:
            names.append("::".join([*filter(None, scopes), found.group(1)]))
    literal = r"(?:int|float|double|unsigned|unsigned int|char|half|__half|bool|true|false|\d+|\s|,)+"
    for name, given in re.findall(r"\b(\w+)\s*<(" + literal + r")>\s*<<<", whole):
        if name in templates:
            names.append(f"{name}<{' '.join(given.split())}>")
    return sorted(set(names)), bool(templates)


CHILD = """
import json, sys
import tenon
code, kernels, name = json.load(sys.stdin)
try:
    program = tenon.Program(code, kernels, name=name)
    print(json.dumps({"ways": [program[k].info["execution"] for k in kernels]}))
except tenon.TenonError as error:
    print(json.dumps({"refused": str(error)[:20000]}))
"""


def errors_in(text, name):
    """The lines and sentences of the compiler's errors."""
    found = re.findall(rf"{re.escape(name)}:(\d+)(?::\d+)?: (?:fatal )?(?:error: )?([^\n]*)", text)
    undefined = re.findall(r"(undefined reference to [`'](?:\w+::)*\w+)", text)
    return [(int(line), sentence) for line, sentence in found] + [(0, sentence) for sentence in undefined]


def reason(text):
    """The sentence of a refusal without names and places."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    first = first.split(" (")[0]
    first = re.sub(r"^[^:]*\.cuh?:\d+(:\d+)?:\s*(fatal )?(error: )?", "", first)
    inner = re.search(r"error: (.*)", text)
    if inner and ("compil" in first or ".cu" in first):
        first = inner.group(1)
    return re.sub(r"['\"‘’][^'\"‘’]*['\"‘’]", "...", first.split(" (")[0])[:110]


def included_files(files):
    """Those that another one includes: they are no whole text."""
    found = set()
    for path in files:
        names = re.findall(r'^\s*#\s*include\s*"([^"]+\.cu)"', path.read_text(errors="replace"), re.MULTILINE)
        found |= {(path.parent / name).resolve() for name in names}
    return found


def survey_file(path, root, folders, seconds):
    begun = time.monotonic()
    extractor = Extractor([pathlib.Path(folder).resolve() for folder in folders])
    # Headers of the host, which are left out, and nvcc's own bring these to most files.
    for name in ("algorithm", "climits", "cmath", "cstdint", "limits", "type_traits", "utility"):
        extractor.fixed(f"#include <{name}>\n")
    extractor.device_code(path.resolve())
    whole = without_comments(path.read_text(errors="replace"))
    left_out = set()
    for _ in range(MOST_MENDS):
        code = extractor.text()
        kernels, templates = kernels_of(code, whole)
        kernels = [one for one in kernels if one not in left_out]
        out = {"file": str(path.relative_to(root)), "kernels": len(kernels), "ptx": instructions_of(code)}
        if "__global__" not in code:
            return out | {"state": "no kernels"}
        try:
            child = subprocess.run([sys.executable, "-P", "-c", CHILD], input=json.dumps([code, kernels, path.name]), text=True,
                                   capture_output=True, timeout=seconds)
            answer = json.loads(child.stdout.splitlines()[-1]) if child.stdout else {"refused": child.stderr[-300:]}
        except subprocess.TimeoutExpired:
            answer = {"refused": f"longer than {seconds} s"}
        if "refused" not in answer:
            break
        unknown = re.match(r"(?:.*\n)?kernel name (\d+) of the options: ", answer["refused"])
        if unknown:
            left_out.add(kernels[int(unknown.group(1))])  # an instance with arguments that are deduced, or the like
        elif not extractor.mend(errors_in(answer["refused"], path.name)):
            break
    out["seconds"] = time.monotonic() - begun
    if "refused" in answer:
        return out | {"state": "refused", "why": reason(answer["refused"]), "text": answer["refused"]}
    ways = [WAYS.get(way & 15, str(way)) for way in answer["ways"]]
    return out | {"state": "compiles", "ways": ways, "templates_only": templates and not kernels}


def instructions_of(code):
    found = collections.Counter()
    for match in re.finditer(r"\basm\b\s*(?:volatile)?\s*\(((?:\s*\"(?:\\.|[^\"\\])*\")+)", code.replace("__volatile__", "volatile")):
        text = "".join(re.findall(r"\"((?:\\.|[^\"\\])*)\"", match.group(1))).replace("\\n", "\n").replace("\\t", " ")
        for statement in re.split(r"[;\n{}]", text):
            word = re.match(r"\s*(?:\w+:\s*)?(?:@!?%?\w+\s+)?([a-z][a-z0-9_]*(?:\.[\w:]+)*)", statement)
            if word and not statement.strip().startswith((".", "//")):
                found[word.group(1)] += 1
    return found


def report(title, results, most):
    with_kernels = [one for one in results if one["state"] != "no kernels"]
    compiled = [one for one in with_kernels if one["state"] == "compiles"]
    ways = collections.Counter(way for one in compiled for way in one["ways"])
    print(f"{title}: {len(compiled)} of {len(with_kernels)} files with kernels compile; of their {sum(ways.values())} kernels "
          + ", ".join(f"{count} {way}" for way, count in ways.most_common()))
    reasons = collections.defaultdict(list)
    for one in with_kernels:
        if one["state"] == "refused":
            reasons[one["why"]].append(one["file"])
    for why, files in sorted(reasons.items(), key=lambda item: -len(item[1]))[:most]:
        print(f"  {len(files):4}  {why}   ({files[0]})")
    counts = sum((collections.Counter(one["ptx"]) for one in results), collections.Counter())
    readers = set(re.findall(r'"([a-z0-9_]+)"', INSTRUCTIONS.read_text()))
    if counts:
        print(f"  inline PTX ({sum(counts.values())} instructions; * is refused): "
              + ", ".join(f"{'' if name.split('.')[0] in readers else '*'}{name} {count}" for name, count in counts.most_common(most * 2)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("-I", dest="include", action="append", default=[], help="a folder with the project's headers")
    parser.add_argument("--every", type=int, default=1, help="take every nth file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120, help="the most that one file may take")
    parser.add_argument("--most", type=int, default=15, help="the most reasons that are printed")
    parser.add_argument("--json", type=pathlib.Path, help="every file's result")
    arguments = parser.parse_args()
    everything = {}
    for root in arguments.folders:
        files = sorted(root.rglob("*.cu"))
        parts = included_files(files)
        files = [path for path in files if path.resolve() not in parts][:: arguments.every]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(lambda path: survey_file(path, root, arguments.include, arguments.seconds), files))
        report(str(root), results, arguments.most)
        sys.stdout.flush()
        everything[str(root)] = results
    if arguments.json:
        arguments.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
