"""Turns a file into a constant of C++: embed.py INPUT OUTPUT NAME. A text becomes a string, a program an array of bytes."""
import sys

source, target, name = sys.argv[1:]
content = open(source, "rb").read()
with open(target, "w", encoding="utf-8") as out:
    out.write("// Made from %s; do not edit.\n" % source.rsplit("/", 1)[-1])
    if content.startswith(b"\x7fELF"):
        out.write("#include <cstddef>\nnamespace tenon::cuda { extern const unsigned char %s[]; extern const size_t %sSize;\n" % (name, name))
        out.write("const size_t %sSize = %d;\nconst unsigned char %s[] = {\n" % (name, len(content), name))
        for i in range(0, len(content), 40):
            out.write(",".join(map(str, content[i:i + 40])) + ",\n")
        out.write("};\n}\n")
    else:
        text = content.decode("utf-8")
        out.write("namespace tenon::cuda { extern const char %s[]; const char %s[] =\n" % (name, name))
        for i in range(0, len(text), 8000):  # a literal may hold 64 KiB at most
            out.write('R"tenon(%s)tenon"\n' % text[i:i + 8000])
        out.write(";\n}\n")
