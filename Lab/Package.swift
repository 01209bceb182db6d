// swift-tools-version:6.2
import PackageDescription

// The packages of this repository have one package name, the SDK's, so `package` access reaches across them:
// Docs/Decisions/0043-packages.md. SwiftPM derives it from the name of the checkout's folder.
let checkout = Context.packageDirectory.split(separator: "/").dropLast(1).last ?? ""
let packageName = checkout.lowercased().enumerated()
    .map { $1.isLetter || $0 > 0 && $1.isNumber ? String($1) : "_" }.joined()

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-package-name", packageName]),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting]? = nil,
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, packageAccess: false, swiftSettings: strict,
        linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict)
}

let internals: Target.Dependency = .product(name: "_AstrolabeInternals", package: "astrolabe")
let testSupport: Target.Dependency = .product(name: "_AstrolabeTestSupport", package: "astrolabe")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let otlp: Target.Dependency = .product(name: "AstrolabeOTLP", package: "astrolabe")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// By its build id a crash finds its symbols. Mach-O always has one, ELF only if the linker is asked for it.
let withBuildID: LinkerSetting = .unsafeFlags(["-Xlinker", "--build-id"], .when(platforms: [.linux]))

#if os(Linux)
let swiftUI: [Target.Dependency] = [.product(name: "SwiftUIForLinux", package: "simulator")]
#else
let swiftUI: [Target.Dependency] = [
    .product(name: "AstrolabeSwiftUI", package: "astrolabe"), .product(name: "ViewTree", package: "simulator"),
]
#endif

let package = Package(
    name: "lab",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "FleetSimulator", targets: ["FleetSimulator"]),
        .executable(name: "HealthFixture", targets: ["HealthFixture"]),
        .executable(name: "benchmarks", targets: ["Benchmarks"]),
    ],
    dependencies: [
        .package(name: "astrolabe", path: ".."),
        .package(name: "simulator", path: "../Tools/Simulator"),
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    ],
    targets: [
        // Thousands of phones in virtual time, on the SDK's own code.
        library("FleetSimulator", [internals]),
        .systemLibrary(name: "CMalloc", path: "Sources/CMalloc"),
        // Attacks the decoders with damaged input; `./astrolabe fuzz` runs it in release mode.
        program("AstrolabeFuzz", [internals, otlp, "CMalloc", argumentParser]),
        .target(name: "CAllocations", linkerSettings: [.linkedLibrary("z")]),
        library("BenchmarkSubjects", [internals, astrolabe] + swiftUI),
        program("Benchmarks", ["BenchmarkSubjects", "CAllocations", astrolabe, otlp, internals, testSupport]),
        // An app that ends in every way that there is, some of them C's.
        .target(name: "CCrashes"),
        program(
            "HealthFixture",
            [astrolabe, internals, .product(name: "AstrolabeLinux", package: "astrolabe"), "CCrashes"],
            linkerSettings: [withBuildID]),
        // An app that records until it is killed.
        program("SDKFixture", [astrolabe, internals, testSupport]),
        tests("CrashTests", [internals, testSupport, "HealthFixture"]),
        // The whole SDK against kills, outages and itself.
        tests("DurabilityTests", [astrolabe, otlp, internals, testSupport, "SDKFixture"]),
        tests("FleetSimulatorTests", ["FleetSimulator", internals, testSupport]),
        tests(
            "OTLPConformanceTests", [astrolabe, otlp, internals, testSupport, "AstrolabeFuzz"],
            resources: [.copy("Corpus")]),
    ],
)
