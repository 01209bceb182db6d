"""An app with local packages whose targets have names that the SDK's folders have, too."""

from consumer import fresh
from consumer.release import Release, ended_well

NAMES = (
    "Gzip", "Policy", "Platform", "Journal", "CSQLite", "Recording", "Sessions", "Delivery", "Symbols", "OTLP",
)


def manifest(name: str) -> str:
    return f"""// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "{name.lower()}-neighbour",
    products: [.library(name: "{name}", targets: ["{name}"])],
    targets: [.target(name: "{name}")]
)
"""


def check(release: Release, report) -> None:
    dependencies, products, files = "", "", {}
    for name in NAMES:
        folder = f"neighbours/{name.lower()}-neighbour"
        dependencies += f'\n        .package(path: "{name.lower()}-neighbour"),'
        products += f'\n                .product(name: "{name}", package: "{name.lower()}-neighbour"),'
        files[f"{folder}/Package.swift"] = manifest(name)
        files[f"{folder}/Sources/{name}/{name}.swift"] = f'public let nameOf{name} = "{name}"\n'
    imports = "".join(f"import {name}\n" for name in NAMES)
    uses = "".join(f"print(nameOf{name})\n" for name in NAMES)
    files["neighbours/Package.swift"] = fresh.manifest(dependencies, products)
    for target, source in fresh.SOURCES.items():
        files[f"neighbours/Sources/{target}/main.swift"] = source
    files["neighbours/Sources/Consumer/main.swift"] = imports + fresh.MAIN + uses
    package = release.package(".", files) / "neighbours"
    build = release.swift(package, "build", "--product", "Consumer")
    if ended_well(build, "the build beside the neighbours", report):
        report.figure("neighbours that it builds beside", f"{len(NAMES)} ({', '.join(NAMES)})")
