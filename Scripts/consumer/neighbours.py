"""An app with local packages whose targets have names that the SDK's folders have, too."""

from consumer import fresh
from consumer.release import Release, ended_well, has_built

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
    files["neighbours/Package.swift"] = fresh.manifest(release.dependency, dependencies, products)
    files["neighbours/Sources/Consumer/main.swift"] = imports + fresh.SOURCES["Consumer"] + uses
    package = release.package(".", files) / "neighbours"
    if not has_built(release, package, "Consumer", report):
        return
    run = release.run([str(release.build_folder(package) / "debug" / "Consumer")], timeout=300)
    if ended_well(run, "the program beside the neighbours", report):
        shown = run.output.split()[-len(NAMES):]
        report.require(
            shown == list(NAMES), "neighbours that it runs beside", f"{len(NAMES)} ({', '.join(shown)})",
            ", ".join(NAMES))
