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

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict)
}

let internals: Target.Dependency = .product(name: "_AstrolabeInternals", package: "astrolabe")
let testSupport: Target.Dependency = .product(name: "_AstrolabeTestSupport", package: "astrolabe")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let astrolabeHTTP: Target.Dependency = .product(name: "AstrolabeHTTP", package: "astrolabe")
let testing: Target.Dependency = .product(name: "AstrolabeTesting", package: "astrolabe")
let serverSupport: Target.Dependency = .product(name: "ServerSupport", package: "server-support")
let shop: Target.Dependency = .product(name: "AstronomyShop", package: "astronomy-shop")
let shopAPI: Target.Dependency = .product(name: "ShopAPI", package: "astronomy-shop")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let metricsTestKit: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing: Target.Dependency = .product(name: "InMemoryTracing", package: "swift-distributed-tracing")

// On Linux the tests use the stand-ins of Tools/Simulator and run the app on a simulated phone.
#if os(Linux)
let swiftUI: [Target.Dependency] = [.product(name: "SwiftUIForLinux", package: "simulator")]
let onThePhone: [Target] = [
    tests(
        "AstronomyShopAppTests",
        [
            "ShopServer", shop, shopAPI, astrolabe, testing, internals, testSupport, logging,
            .product(name: "astronomy-shop", package: "astronomy-shop"),
            .product(name: "DeviceLink", package: "simulator"),
        ] + swiftUI,
    )
]
let linuxPackages: [Package.Dependency] = [.package(name: "simulator", path: "../../Tools/Simulator")]
#else
let swiftUI: [Target.Dependency] = [.product(name: "AstrolabeSwiftUI", package: "astrolabe")]
let onThePhone: [Target] = []
let linuxPackages: [Package.Dependency] = []
#endif

// The backend of the shop, and all tests of the shop: those of the app run against the real backend.
let package = Package(
    name: "shop-server",
    platforms: [.macOS(.v14)],
    products: [.library(name: "ShopServer", targets: ["ShopServer"])],
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
        .package(name: "astronomy-shop", path: "../AstronomyShop"),
        .package(name: "server-support", path: "../../Tools/ServerSupport"),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/apple/swift-distributed-tracing", .upToNextMinor(from: "1.7.3")),
        .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
    ] + linuxPackages,
    targets: onThePhone + [
        library(
            "ShopServer",
            [
                shopAPI, internals, serverSupport, hummingbird, hummingbirdCore, httpTypes, nioCore, grdb, logging,
                metrics, tracing,
            ],
            resources: [.copy("Pictures")],
        ),
        tests("ShopAPITests", [shopAPI, internals]),
        tests(
            "AstronomyShopTests",
            ["ShopServer", shop, shopAPI, astrolabe, astrolabeHTTP, testing, internals, testSupport, logging] + swiftUI,
        ),
        tests(
            "ShopServerTests",
            [
                "ShopServer", shopAPI, internals, testSupport, serverSupport, hummingbird, hummingbirdTesting,
                httpTypes, nioCore, logging, inMemoryLogging, metrics, metricsTestKit, tracing, inMemoryTracing,
            ],
        ),
    ],
)
