"""Turns a text file into a C++ string constant: embed.py INPUT OUTPUT NAME."""
import sys

source, target, name = sys.argv[1:]
text = open(source, encoding="utf-8").read()
pieces = [text[i:i + 8000] for i in range(0, len(text), 8000)]  # a literal may hold 64 KiB at most
with open(target, "w", encoding="utf-8") as out:
    out.write("// Made from %s; do not edit.\n" % source.rsplit("/", 1)[-1])
    out.write("namespace tenon::cuda { extern const char %s[]; const char %s[] =\n" % (name, name))
    for piece in pieces:
        out.write('R"tenon(%s)tenon"\n' % piece)
    out.write(";\n}\n")
