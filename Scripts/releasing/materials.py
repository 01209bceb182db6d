"""A software bill of materials in SPDX 2.3: the packages that a build resolved, and the libraries in the archive."""

import json
import pathlib
import re
from typing import Dict

from releasing import REPOSITORY


def bill(name: str, version: str, created: str, state: pathlib.Path, libraries: Dict[str, str]) -> str:
    """The bill as JSON.

    - Parameters:
      - state: SwiftPM's `workspace-state.json`, which has the version and the commit of each dependency.
      - libraries: The names of the shared libraries in the archive, and their SHA-256.
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
    for library, digest in sorted(libraries.items()):
        packages.append(shared(library, digest))
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


def shared(library: str, digest: str) -> dict:
    checksum = {"algorithm": "SHA256", "checksumValue": digest}
    return {**described(library, "NOASSERTION"), "checksums": [checksum]}


def relationship(subject: str, kind: str, package: dict) -> dict:
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": package["SPDXID"]}
