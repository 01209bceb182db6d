// swift-tools-version:6.2
import PackageDescription

// The adapter for OpenTelemetryApi. It is not in the workspace of the repository, because the package that it adapts
// does not resolve on every machine. Its core is a target of `Integrations`, too, which builds and tests it.
//
//     cd Integrations/OpenTelemetryApi
//     swift test                                                                  # resolves opentelemetry-swift-core
//     ASTROLABE_OPENTELEMETRY_SWIFT_CORE=/path/to/opentelemetry-swift-core swift test

// The packages of this repository have one package name, the SDK's, so `package` access reaches across them:
// Docs/Decisions/0043-packages.md. SwiftPM derives it from the name of the checkout's folder.
let checkout = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = checkout.lowercased().enumerated()
    .map { $1.isLetter || $0 > 0 && $1.isNumber ? String($1) : "_" }.joined()

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-package-name", packageName]),
]

let upstream: Package.Dependency =
    if let path = Context.environment["ASTROLABE_OPENTELEMETRY_SWIFT_CORE"] {
        .package(name: "opentelemetry-swift-core", path: path)
    } else {
        .package(url: "https://github.com/open-telemetry/opentelemetry-swift-core", from: "2.3.0")
    }

let api: Target.Dependency = .product(name: "OpenTelemetryApi", package: "opentelemetry-swift-core")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let internals: Target.Dependency = .product(name: "_AstrolabeInternals", package: "astrolabe")

let package = Package(
    name: "opentelemetry-api",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "AstrolabeOpenTelemetry", targets: ["AstrolabeOpenTelemetry"])],
    dependencies: [.package(name: "astrolabe", path: "../.."), upstream],
    targets: [
        .target(
            name: "AstrolabeOpenTelemetryCore", dependencies: [internals], packageAccess: false,
            swiftSettings: strict),
        // `os_activity`, which is macros. Empty where there is none.
        .target(name: "CAstrolabeActivity"),
        .target(
            name: "AstrolabeOpenTelemetry",
            dependencies: ["AstrolabeOpenTelemetryCore", "CAstrolabeActivity", astrolabe, internals, api],
            packageAccess: false, swiftSettings: strict),
        // An app's code that knows OpenTelemetryApi and nothing else. The API's tracers are not sendable, so an app
        // that shares one between tasks is in the language mode of Swift 5.
        .target(name: "OpenTelemetrySample", dependencies: [api], swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "AstrolabeOpenTelemetryTests",
            dependencies: [
                "AstrolabeOpenTelemetry", "OpenTelemetrySample", astrolabe, internals, api,
                .product(name: "AstrolabeTesting", package: "astrolabe"),
            ], packageAccess: false, swiftSettings: strict),
    ],
)
