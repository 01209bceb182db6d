"""A software bill of materials in SPDX 2.3: the packages that a build resolved, and what else is in the archive."""

import json
import pathlib
import re
from typing import Dict, Optional

from releasing import REPOSITORY

# The part of the toolchain with which the console symbolicates crashes.
SYMBOLIZER = "llvm-symbolizer"

TOOLCHAIN = "https://github.com/swiftlang"

# What `--static-swift-stdlib` links.
LINKED = [
    "swift", "swift-corelibs-libdispatch", "swift-foundation", "swift-foundation-icu", "swift-corelibs-foundation",
]


def bill(
    name: str, version: str, created: str, state: pathlib.Path, files: Dict[str, str], toolchain: Optional[str],
) -> str:
    """The bill as JSON.

    - Parameters:
      - state: SwiftPM's `workspace-state.json`, which has the version and the commit of each dependency.
      - files: The names of the programs and libraries in the archive that others have built, and their SHA-256.
      - toolchain: The tag of the toolchain, whose runtime and Foundation are linked statically.
    """
    program = package("astrolabe", version, REPOSITORY, version)
    program["licenseDeclared"] = "Apache-2.0"
    packages = [program]
    for dependency in json.loads(state.read_text(encoding="utf-8"))["object"]["dependencies"]:
        checkout = dependency["state"].get("checkoutState")
        if checkout:
            reference, revision = dependency["packageRef"], checkout["revision"]
            packages.append(
                package(reference["identity"], checkout.get("version", revision), reference["location"], revision))
    if toolchain:
        packages += [package(part, toolchain, f"{TOOLCHAIN}/{part}", toolchain) for part in LINKED]
    for file, digest in sorted(files.items()):
        packages.append(copied(file, digest, toolchain))
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", program)]
    relationships += [relationship(program["SPDXID"], "DEPENDS_ON", each) for each in packages[1:]]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"{REPOSITORY}/releases/download/{version}/{name}.spdx.json",
        "creationInfo": {"created": created, "creators": ["Tool: Scripts/release"]},
        "packages": packages,
        "relationships": relationships,
    }
    return json.dumps(document, indent=2) + "\n"


def described(name: str, location: str) -> dict:
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }


def package(name: str, version: str, location: str, revision: str) -> dict:
    locator = f"pkg:swift/{re.sub('^https://|[.]git$', '', location)}@{version}"
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}
    source = f"git+{location}@{revision}"
    return {**described(name, source), "versionInfo": version, "externalRefs": [reference]}


def copied(file: str, digest: str, toolchain: Optional[str]) -> dict:
    checksums = {"checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    if file == SYMBOLIZER:
        source = f"git+{TOOLCHAIN}/llvm-project@{toolchain}"
        return {**described(file, source), "versionInfo": toolchain, **checksums}
    return {**described(file, "NOASSERTION"), **checksums}


def relationship(subject: str, kind: str, package: dict) -> dict:
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": package["SPDXID"]}
