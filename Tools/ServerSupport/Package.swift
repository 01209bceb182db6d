// swift-tools-version:6.2
import PackageDescription

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
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "server-support",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "ServerSupport", targets: ["ServerSupport"]),
        .library(name: "BrowserKit", targets: ["BrowserKit"]),
    ],
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-extras.git", .upToNextMinor(from: "1.35.2")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
    ],
    targets: [
        library(
            "ServerSupport",
            [
                internals, hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTPTypes, serviceLifecycle, logging,
            ],
            resources: [.copy("Assets")],
        ),
        // A real browser, and plain clients, for the tests of pages.
        library("BrowserKit", [hummingbirdTesting, httpTypes, nioCore]),
    ],
)
