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

func library(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, packageAccess: false, swiftSettings: strict)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting]? = nil,
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, packageAccess: false, swiftSettings: strict,
        linkerSettings: linkerSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, packageAccess: false, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict)
}

let internals: Target.Dependency = .product(name: "_AstrolabeInternals", package: "astrolabe")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let metricsFacade: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let testing: Target.Dependency = .product(name: "AstrolabeTesting", package: "astrolabe")
let testSupport: Target.Dependency = .product(name: "_AstrolabeTestSupport", package: "astrolabe")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")

let package = Package(
    name: "integrations",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "AstrolabeBridges", targets: ["AstrolabeBridges"]),
        .library(name: "AstrolabeServer", targets: ["AstrolabeServer"]),
    ],
    dependencies: [
        .package(name: "astrolabe", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        library("AstrolabeBridges", [astrolabe, internals, logging, metrics, tracing]),
        // A server's transport, monitors and service. Apart from the bridges, which need no TLS of their own.
        library(
            "AstrolabeServer",
            ["AstrolabeBridges", astrolabe, internals, asyncHTTPClient, logging, nioCore, nioHTTP1, serviceLifecycle],
        ),
        // The logic of the adapter for OpenTelemetryApi. The adapter is a package of its own, which has this target,
        // too.
        library(
            "AstrolabeOpenTelemetryCore", [internals],
            path: "OpenTelemetryApi/Sources/AstrolabeOpenTelemetryCore"),
        program("ServerFixture", ["AstrolabeServer", astrolabe]),
        tests("AstrolabeOpenTelemetryCoreTests", ["AstrolabeOpenTelemetryCore", internals]),
        tests(
            "AstrolabeBridgesTests",
            ["AstrolabeBridges", astrolabe, internals, testing, testSupport, logging, metricsFacade, tracing]),
        tests(
            "AstrolabeServerTests",
            [
                "AstrolabeServer", "ServerFixture", astrolabe, internals, testing, testSupport, asyncHTTPClient,
                logging,
                serviceLifecycle,
            ],
        ),
    ],
)
