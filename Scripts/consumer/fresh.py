"""An app that has nothing yet and adds Astrolabe, AstrolabeHTTP, and AstrolabeTesting for its tests."""

import pathlib
import shutil
import statistics

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

SOURCES = {"Consumer": MAIN, "Core": CORE, "Hello": HELLO}

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

# The programs whose sizes show what each product adds.
SMALLER = """
        .executableTarget(name: "Core", dependencies: [.product(name: "Astrolabe", package: "astrolabe")]),
        .executableTarget(name: "Hello"),"""


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


def measure_release(release: Release, report) -> None:
    files = {f"Sources/{target}/main.swift": source for target, source in SOURCES.items()}
    package = release.package("figures", {"Package.swift": manifest(release.dependency, targets=SMALLER), **files})
    build = release.swift(package, "build", "--configuration", "release")
    if not ended_well(build, "the release build", report):
        return
    report.figure("clean release build in", build.describe())
    folder = release.build_folder(package) / "release"
    sizes = {}
    for name in ("Hello", "Core", "Consumer"):
        stripped = release.folder / f"{name}-stripped"
        shutil.copy(folder / name, stripped)
        if not ended_well(release.run(["strip", str(stripped)]), f"strip {name}", report):
            return
        sizes[name] = stripped.stat().st_size
    for product, larger, smaller in (("Astrolabe", "Core", "Hello"), ("AstrolabeHTTP", "Consumer", "Core")):
        added = sizes[larger] - sizes[smaller]
        report.figure(f"{product} adds to a stripped binary", f"{added / 1e6:.2f} MB ({added:,} bytes)")
    times = []
    for _ in range(STARTS):
        run = release.run([str(folder / "Consumer")], timeout=60)
        if not ended_well(run, "the consumer", report):
            return
        times.append(float(run.output.split()[-1]))
    first, *later = times
    report.figure("Telemetry.start, first launch", f"{first:.1f} ms")
    report.figure("Telemetry.start, median of the next launches", f"{statistics.median(later):.1f} ms")
