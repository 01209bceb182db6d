"""An app that has nothing yet and adds Astrolabe, AstrolabeHTTP, and AstrolabeTesting for its tests."""

import pathlib
import platform
import shutil
import statistics

from consumer import weight
from consumer.release import Release, ended_well, has_built

MAIN = """import Astrolabe
import AstrolabeHTTP
import Foundation

var configuration = TelemetryConfiguration(serviceName: "consumer")
configuration.endpoint = nil
let clock = ContinuousClock()
let before = clock.now
let telemetry = Telemetry.start(configuration)
let elapsed = clock.now - before
let client = TracedHTTPClient(telemetry, allowedHosts: ["api.example.com"])
telemetry.tracer("consumer").withSpan("start") { _ in withExtendedLifetime(client) {} }
print(Double(elapsed.components.attoseconds) / 1e15)
"""

# The same without AstrolabeHTTP.
CORE = """import Astrolabe
import Foundation

var configuration = TelemetryConfiguration(serviceName: "consumer")
configuration.endpoint = nil
let telemetry = Telemetry.start(configuration)
telemetry.tracer("consumer").withSpan("start") { _ in print("started") }
"""

HELLO = """import Foundation

print("hello", Date(timeIntervalSince1970: 0))
"""

IMPORTS = "import Astrolabe\n"
ENDPOINT = "configuration.endpoint = nil\n"


def core(module: str, line: str) -> str:
    """The core that also uses another product."""
    return CORE.replace(IMPORTS, f"{IMPORTS}import {module}\n").replace(ENDPOINT, f"{ENDPOINT}{line}\n")


SOURCES = {
    "Consumer": MAIN,
    "Core": CORE,
    "Hello": HELLO,
    "Replay": core("AstrolabeSessionReplay", "configuration.replay.isEnabled = true"),
    "Extras": core("AstrolabeExtras", "configuration.propagator = B3Propagator()"),
    "Declarative": core(
        "AstrolabeDeclarative", "configuration = try TelemetryConfiguration.load(declarativeIn: [:])"),
    "Linux": core("AstrolabeLinux", "configuration.conditions = LinuxConditionsMonitor()"),
    "RemotePolicy": core(
        "AstrolabeRemotePolicy",
        'configuration.remotePolicy = RemotePolicyConfiguration(endpoint: URL(fileURLWithPath: "/"), publicKey: [])'),
}

# Each product with the program that has it, and the same program without it.
PROGRAMS = {
    "Astrolabe": ("Core", "Hello"),
    "AstrolabeHTTP": ("Consumer", "Core"),
    "AstrolabeSessionReplay": ("Replay", "Core"),
    "AstrolabeExtras": ("Extras", "Core"),
    "AstrolabeDeclarative": ("Declarative", "Core"),
    "AstrolabeLinux": ("Linux", "Core"),
    "AstrolabeRemotePolicy": ("RemotePolicy", "Core"),
}

# One expectation in each test framework that an app may use.
CHECKOUT_TESTS = """import Astrolabe
import AstrolabeTesting
import Testing
import XCTest

private func checkout() async -> TelemetryCollector {
    let collector = TelemetryCollector()
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "consumer"))
    telemetry.tracer("consumer").withSpan("checkout") { _ in
        telemetry.tracer("consumer").withSpan("charge card", kind: .client) { _ in }
    }
    await telemetry.flush()
    return collector
}

@Test func chargesTheCard() async throws {
    let collector = await checkout()
    #expect(collector.contains(.named("charge card").kind(.client).child(of: "checkout")))
}

final class CheckoutTests: XCTestCase {
    func testChargesTheCard() async throws {
        let collector = await checkout()
        try collector.requireSpan(.named("charge card").kind(.client).child(of: "checkout"))
    }
}
"""

STARTS = 21

TESTS = """
        .testTarget(
            name: "ConsumerTests",
            dependencies: [
                .product(name: "Astrolabe", package: "astrolabe"),
                .product(name: "AstrolabeTesting", package: "astrolabe"),
            ]
        ),"""



def program(name: str, *products: str) -> str:
    listed = ", ".join(f'.product(name: "{product}", package: "astrolabe")' for product in products)
    return f"""
        .executableTarget(name: "{name}", dependencies: [{listed}]),"""


# The programs whose sizes show what each product adds.
OTHERS = "".join([
    program("Hello"),
    program("Core", "Astrolabe"),
    *(program(name, "Astrolabe", product) for product, (name, smaller) in PROGRAMS.items()
      if smaller == "Core" and name != "Consumer"),
])


def manifest(dependency: str, dependencies: str = "", products: str = "", targets: str = "") -> str:
    return f"""// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        {dependency},{dependencies}
    ],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                .product(name: "Astrolabe", package: "astrolabe"),
                .product(name: "AstrolabeHTTP", package: "astrolabe"),{products}
            ]
        ),{targets}
    ]
)
"""


def check(release: Release, report) -> None:
    files = {
        "Package.swift": manifest(release.dependency, targets=TESTS),
        "Sources/Consumer/main.swift": SOURCES["Consumer"],
        "Tests/ConsumerTests/CheckoutTests.swift": CHECKOUT_TESTS,
    }
    package = release.package("fresh", files)
    if not resolves_quickly(release, package, report):
        return
    if not has_built(release, package, "Consumer", report):
        return
    tests = release.swift(package, "test")
    if not ended_well(tests, "the app's tests", report):
        return
    report.figure("build and run of the app's tests in", tests.describe())
    for found in ("Executed 1 test, with 0 failures", "1 test in 0 suites passed"):
        report.require(found in tests.output, "the app's tests", found if found in tests.output else "others", found)


def resolves_quickly(release: Release, package: pathlib.Path, report) -> bool:
    """Measures a resolution with a warm cache, which the first one fills."""
    for _ in range(2):
        shutil.rmtree(package / ".resolution", ignore_errors=True)
        resolution = release.swift(package, "package", "resolve", build_folder=package / ".resolution")
        if not ended_well(resolution, "resolving", report):
            return False
    report.require(
        min(resolution.wall, resolution.cpu) < 5, "resolved with a warm cache in", resolution.describe(), "under 5 s")
    return True


def measure_release(release: Release, report, updates: bool = False) -> None:
    """Measures sizes and the time of a start. Compares the sizes with those on record, or writes them there."""
    files = {f"Sources/{target}/main.swift": source for target, source in SOURCES.items()}
    package = release.package("figures", {"Package.swift": manifest(release.dependency, targets=OTHERS), **files})
    build = release.swift(package, "build", "--configuration", "release")
    if not ended_well(build, "the release build", report):
        return
    report.figure("clean release build in", build.describe())
    folder = release.build_folder(package) / "release"
    sizes = {}
    for name in SOURCES:
        stripped = release.folder / f"{name}-stripped"
        shutil.copy(folder / name, stripped)
        if not ended_well(release.run(["strip", str(stripped)]), f"strip {name}", report):
            return
        sizes[name] = stripped.stat().st_size
    added = {product: sizes[larger] - sizes[smaller] for product, (larger, smaller) in PROGRAMS.items()}
    version = release.run(["swift", "--version"]).output.splitlines()
    compiler = next((line for line in version if "Swift version" in line), "unknown")
    measured = weight.Sizes(f"{compiler.strip()}, {platform.machine()}", added)
    if updates:
        (release.root / weight.SIZES).write_text(weight.text(measured), encoding="utf-8")
    weight.compare(weight.recorded(release.root), measured, report)
    symbols = release.run(["nm", "--print-size", str(folder / "Core")])
    if ended_well(symbols, "nm", report):
        for module, size in weight.modules(symbols.output):
            report.figure(f"  symbols of {module}", f"{size / 1e3:.0f} kB")
    times = []
    for _ in range(STARTS):
        run = release.run([str(folder / "Consumer")], timeout=60)
        if not ended_well(run, "the consumer", report):
            return
        times.append(float(run.output.split()[-1]))
    first, *later = times
    report.figure("Telemetry.start, first launch", f"{first:.1f} ms")
    report.figure("Telemetry.start, median of the next launches", f"{statistics.median(later):.1f} ms")
