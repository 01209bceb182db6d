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
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil,
    linkerSettings: [LinkerSetting]? = nil,
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, resources: resources, packageAccess: false, swiftSettings: strict,
        linkerSettings: linkerSettings)
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
let otlp: Target.Dependency = .product(name: "AstrolabeOTLP", package: "astrolabe")
let bridges: Target.Dependency = .product(name: "AstrolabeBridges", package: "integrations")
let astrolabeServer: Target.Dependency = .product(name: "AstrolabeServer", package: "integrations")
let serverSupport: Target.Dependency = .product(name: "ServerSupport", package: "server-support")
let browserKit: Target.Dependency = .product(name: "BrowserKit", package: "server-support")
let deviceLink: Target.Dependency = .product(name: "DeviceLink", package: "simulator")
let deviceSimulator: Target.Dependency = .product(name: "DeviceSimulator", package: "simulator")
let witnessApp: Target.Dependency = .product(name: "witness-app", package: "simulator")
let viewTree: Target.Dependency = .product(name: "ViewTree", package: "simulator")
let shop: Target.Dependency = .product(name: "AstronomyShop", package: "astronomy-shop")
let shopAPI: Target.Dependency = .product(name: "ShopAPI", package: "astronomy-shop")
let shopServer: Target.Dependency = .product(name: "ShopServer", package: "shop-server")
let fieldNotes: Target.Dependency = .product(name: "field-notes", package: "field-notes")
let fleet: Target.Dependency = .product(name: "FleetSimulator", package: "lab")
let healthFixture: Target.Dependency = .product(name: "HealthFixture", package: "lab")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let grpcCore: Target.Dependency = .product(name: "GRPCCore", package: "grpc-swift-2")
let grpcTransport: Target.Dependency = .product(
    name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")

// The shop as a program for the simulated phone, and an app with five tabs. On a Mac both are Xcode's to run.
#if os(Linux)
let shopApp: [Target.Dependency] = [.product(name: "astronomy-shop", package: "astronomy-shop")]
let pantryApp: [Target.Dependency] = [.product(name: "pantry-app", package: "simulator")]
#else
let shopApp: [Target.Dependency] = []
let pantryApp: [Target.Dependency] = []
#endif

// The system's libzstd. A Mac has none, so a console there does not take zstd.
#if os(Linux)
let zstd: [Target.Dependency] = ["CZstd"]
let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CZstd", path: "Sources/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])])
]
#else
let zstd: [Target.Dependency] = []
let systemLibraries: [Target] = []
#endif

let package = Package(
    name: "console",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "astrolabe", targets: ["AstrolabeCLI"]),
        // The same commands without TLS, gRPC and ClickHouse.
        .executable(name: "astrolabe-local", targets: ["AstrolabeLocal"]),
        .executable(name: "query-benchmarks", targets: ["QueryBenchmarks"]),
    ],
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
        .package(name: "integrations", path: "../../Integrations"),
        .package(name: "server-support", path: "../ServerSupport"),
        .package(name: "simulator", path: "../Simulator"),
        .package(name: "astronomy-shop", path: "../../Examples/AstronomyShop"),
        .package(name: "shop-server", path: "../../Examples/ShopServer"),
        .package(name: "field-notes", path: "../../Examples/FieldNotes"),
        .package(name: "lab", path: "../../Lab"),
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/apple/swift-distributed-tracing", .upToNextMinor(from: "1.7.3")),
        .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-extras.git", .upToNextMinor(from: "1.35.2")),
        .package(url: "https://github.com/apple/swift-nio-http2.git", .upToNextMinor(from: "1.46.0")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
        .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
        .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.6")),
        .package(url: "https://github.com/grpc/grpc-swift-2", .upToNextMinor(from: "2.4.3")),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", .upToNextMinor(from: "2.9.2")),
        .package(url: "https://github.com/swift-server/async-http-client", .upToNextMinor(from: "1.37.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
    ],
    targets: systemLibraries + [
        // The heap of the C library: what it keeps after it was freed.
        .systemLibrary(name: "CHeap", path: "Sources/CHeap"),
        library("Symbolication"),
        library("TelemetryQuery"),
        library("TelemetryBoards", ["TelemetryQuery", yams], resources: [.copy("Boards")]),
        // The interface of a store, and its values.
        library("ConsoleModel", ["TelemetryQuery", otlp, internals]),
        library("ConsoleStore", ["ConsoleModel", internals, grdb, grdbSQLite]),
        // TLS, gRPC, and the HTTP client for ClickHouse and for what the program sends itself. They need libraries that
        // take long to build.
        library(
            "ConsoleTransports",
            [
                "ClickHouse", "ConsoleAccess", "TelemetryConsole", serverSupport, internals, astrolabeServer,
                asyncHTTPClient, crypto,
                grpcCore,
                grpcTransport,
                hummingbirdCore, httpTypes, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL,
                serviceLifecycle,
            ],
        ),
        // Who may send, see and upload.
        library("ConsoleAccess", [internals, logging]),
        library("ClickHouse", ["ConsoleModel", "ConsoleStore", "TelemetryQuery", internals, nioCore]),
        library("ClickHouseFixture", ["ClickHouse", "ConsoleTransports"]),
        // The demo as its page describes it, for the tests of its two acts.
        library("DemoFixture", ["ShopHistory", browserKit, internals, testSupport]),
        // What is right, for tests of the engine and of ClickHouse.
        library("QueryOracle", ["TelemetryQuery"]),
        library(
            "TelemetryConsole",
            [
                "CHeap", "ClickHouse", "ConsoleAccess", "ConsoleModel", "ConsoleStore", "Symbolication",
                "TelemetryBoards", "TelemetryQuery", serverSupport, otlp, internals,
                hummingbird,
                hummingbirdCore, httpTypes, nioCore, serviceLifecycle, logging, metrics, tracing,
            ] + zstd,
            resources: [.copy("Assets")],
        ),
        // Two days of a fleet, for the demo and for measurements.
        library("ShopHistory", [internals, shopAPI, fleet]),
        library(
            "AstrolabeCommands",
            [
                "ClickHouse", "ConsoleAccess", "ConsoleModel", "ConsoleStore", "ShopHistory", "Symbolication",
                "TelemetryBoards", "TelemetryConsole",
                "TelemetryQuery", astrolabe, bridges, otlp, internals,
                serverSupport, deviceSimulator, deviceLink, shop, shopAPI, shopServer, fleet, argumentParser, logging,
            ],
            resources: [.copy("AppTemplate")],
        ),
        program("AstrolabeCLI", ["AstrolabeCommands", "ConsoleTransports"]),
        program("AstrolabeLocal", ["AstrolabeCommands", "TelemetryConsole"]),
        // Not in the lab, because the console depends on the lab.
        program("QueryBenchmarks", ["TelemetryQuery"]),
        tests("SymbolicationTests", ["Symbolication"]),
        tests(
            "TelemetryQueryTests",
            [
                "ClickHouse", "ClickHouseFixture", "ConsoleModel", "ConsoleStore", "QueryOracle", "TelemetryConsole",
                "TelemetryQuery", internals, testSupport, nioCore, grdb,
            ]),
        tests("TelemetryBoardsTests", ["TelemetryBoards", "TelemetryQuery"]),
        tests("ConsoleAccessTests", ["ConsoleAccess", "ConsoleTransports", logging]),
        tests("ConsoleStoreTests", ["ConsoleModel", "ConsoleStore", internals, grdb, testSupport]),
        tests(
            "ClickHouseTests",
            ["ClickHouse", "ClickHouseFixture", "ConsoleModel", "TelemetryQuery", internals, testSupport]),
        tests(
            "TelemetryConsoleTests",
            [
                "TelemetryConsole", "ClickHouse", "ClickHouseFixture", "ConsoleAccess", "ConsoleModel", "ConsoleStore",
                "ConsoleTransports", "DemoFixture", "QueryOracle", "ShopHistory",
                "Symbolication", "TelemetryBoards", "TelemetryQuery",
                browserKit,
                serverSupport, healthFixture, astrolabe, astrolabeHTTP, bridges, internals, otlp, testing, testSupport,
                hummingbird, hummingbirdTesting, httpTypes, nioCore, nioEmbedded, nioHTTPTypes,
                hummingbirdCore, logging, inMemoryLogging, grdb, grpcCore, grpcTransport, nioHPACK, nioHTTP2,
                nioPosix, crypto, tracing,
            ] + zstd,
        ),
        tests(
            "AstrolabeCLITests",
            [
                "AstrolabeCLI", "AstrolabeCommands", "AstrolabeLocal", "ConsoleModel", "ConsoleStore",
                "ConsoleTransports", "TelemetryConsole", browserKit, deviceSimulator, fieldNotes, fleet,
                witnessApp, internals, testSupport, argumentParser, crypto, logging,
            ] + shopApp,
        ),
        // The phone, the console and the backend together.
        tests(
            "PhoneTests",
            [
                "AstrolabeCommands", "ConsoleModel", "ConsoleStore", "DemoFixture", "Symbolication", "TelemetryConsole",
                browserKit, deviceSimulator, deviceLink, viewTree, internals, testSupport, logging,
            ] + shopApp + pantryApp,
        ),
    ],
)
