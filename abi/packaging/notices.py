#!/usr/bin/env python3
"""abi/packaging/notices.py: lists the components compiled into the library and the command, as readable notices and as
a software bill of materials (SPDX 2.3), both from components.json. Usage: notices.py COMPONENTS LICENSES NOTICES SPDX
VERSION NAME=VERSION..., which names the components in this build."""
import hashlib
import json
import os
import sys
import time
from pathlib import Path


def notices(components: list[dict], licenses: Path) -> str:
    """The copyrights and the licence texts, with each text only once."""
    text = ("Tenon is under the Apache License, version 2.0, which is in the file LICENSE. Compiled into its library and\n"
            "its command are the parts below, under that licence or those that stand at the end.\n")
    for item in components:
        text += f"\n{item['name']} {item['version']}: {item['use']}\n  {item['url']}\n"
        text += "".join(f"  Copyright (C) {holder}\n" for holder in item["copyright"])
        text += f"  License: {item['license']}\n"
    for name, file in {item["license"]: item["text"] for item in components if item["text"]}.items():
        text += f"\n{'-' * 80}\n{name}\n\n{(licenses / file).read_text()}"
    return text


def package(identifier: str, name: str, version: str, license: str, url: str, copyright: str) -> dict:
    return {"SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": url, "filesAnalyzed": False,
            "licenseConcluded": license, "licenseDeclared": license, "copyrightText": copyright}


def bill(components: list[dict], version: str) -> dict:
    root = "SPDXRef-tenon"
    packages = [package(root, "tenon", version, "Apache-2.0", "NOASSERTION", "NOASSERTION")]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": root}]
    for item in components:
        identifier = f"SPDXRef-{item['name']}"
        holders = "\n".join(f"Copyright (C) {holder}" for holder in item["copyright"])
        packages.append(package(identifier, item["name"], item["version"], item["license"], item["url"], holders))
        relations.append({"spdxElementId": root, "relationshipType": "STATIC_LINK", "relatedSpdxElement": identifier})
    content = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    # Builds of the same sources have the same bill of materials, so its time is the packager's, or absent.
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0"))))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"tenon-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/tenon-{version}-{content}",
            "creationInfo": {"created": created, "creators": ["Tool: abi/packaging/notices.py"]},
            "packages": packages, "relationships": relations}


def main() -> int:
    table, licenses, to_notices, to_bill, version = (*map(Path, sys.argv[1:5]), sys.argv[5])
    built = dict(word.split("=", 1) for word in sys.argv[6:])
    components = [item | {"version": built.pop(item["name"])} for item in json.loads(table.read_text())
                  if item["name"] in built]
    if built:
        raise SystemExit(f"{table} has no entry for {', '.join(built)}")
    to_notices.write_text(notices(components, licenses))
    to_bill.write_text(json.dumps(bill(components, version), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
