// swift-tools-version:6.2
import PackageDescription

// The packages of this repository have one package name, the SDK's, so `package` access reaches across them:
// Docs/Decisions/0043-packages.md. SwiftPM derives it from the name of the checkout's folder.
let checkout = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = checkout.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()

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
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict, )
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil,
    linkerSettings: [LinkerSetting]? = nil,
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict,
        linkerSettings: linkerSettings, )
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict, )
}

let internals: Target.Dependency = .product(name: "_AstrolabeInternals", package: "astrolabe")
let testSupport: Target.Dependency = .product(name: "_AstrolabeTestSupport", package: "astrolabe")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let astrolabeHTTP: Target.Dependency = .product(name: "AstrolabeHTTP", package: "astrolabe")
let testing: Target.Dependency = .product(name: "AstrolabeTesting", package: "astrolabe")
let serverSupport: Target.Dependency = .product(name: "ServerSupport", package: "server-support")
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

// By its build id a crash finds its symbols. Mach-O always has one, ELF only if the linker is asked for it.
let withBuildID: LinkerSetting = .unsafeFlags(["-Xlinker", "--build-id"], .when(platforms: [.linux]))

// On Linux the app's views compile against the stand-ins of Tools/Simulator, and the app runs on a simulated phone.
#if os(Linux)
let swiftUI: [Target.Dependency] = [.product(name: "SwiftUIForLinux", package: "simulator")]
let onThePhone: [Target] = [
    program(
        "AstronomyShopApp",
        ["AstronomyShop", astrolabe] + swiftUI,
        // The app's translations. The Xcode project has the same folder.
        resources: [.process("Resources")], linkerSettings: [withBuildID],
    ),
    tests(
        "AstronomyShopAppTests",
        [
            "AstronomyShopApp", "AstronomyShop", "ShopAPI", "ShopServer", astrolabe, testing, internals, testSupport,
            .product(name: "DeviceLink", package: "simulator"), logging,
        ] + swiftUI,
    ),
]
let phoneProducts: [Product] = [.executable(name: "astronomy-shop", targets: ["AstronomyShopApp"])]
let linuxPackages: [Package.Dependency] = [.package(name: "simulator", path: "../../Tools/Simulator")]
#else
let swiftUI: [Target.Dependency] = [.product(name: "AstrolabeSwiftUI", package: "astrolabe")]
let onThePhone: [Target] = []
let phoneProducts: [Product] = []
let linuxPackages: [Package.Dependency] = []
#endif

let package = Package(
    name: "astronomy-shop",
    defaultLocalization: "en",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [
        .library(name: "AstronomyShop", targets: ["AstronomyShop"]),
        .library(name: "ShopAPI", targets: ["ShopAPI"]),
        .library(name: "ShopServer", targets: ["ShopServer"]),
    ] + phoneProducts,
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
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
        library("ShopAPI"),
        library("AstronomyShop", [astrolabe, astrolabeHTTP, "ShopAPI"] + swiftUI),
        library(
            "ShopServer",
            [
                "ShopAPI", internals, serverSupport, hummingbird, hummingbirdCore, httpTypes, nioCore, grdb, logging,
                metrics, tracing,
            ],
            resources: [.copy("Pictures")],
        ),
        tests("ShopAPITests", ["ShopAPI", internals]),
        tests(
            "AstronomyShopTests",
            [
                "AstronomyShop", "ShopAPI", "ShopServer", astrolabe, astrolabeHTTP, testing, internals, testSupport,
                logging,
            ] + swiftUI,
        ),
        tests(
            "ShopServerTests",
            [
                "ShopServer", "ShopAPI", internals, testSupport, serverSupport, hummingbird, hummingbirdTesting,
                httpTypes, nioCore,
                logging, inMemoryLogging, metrics, metricsTestKit, tracing, inMemoryTracing,
            ],
        ),
    ],
)
