// swift-tools-version:6.2
import PackageDescription

// Every target of ours compiles under the same law: Swift 6, explicit access on imports, warnings are errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// By its build id a crash finds its symbols. Mach-O always has one, ELF only where the linker is told.
let withBuildID: LinkerSetting = .unsafeFlags(["-Xlinker", "--build-id"], .when(platforms: [.linux]))

// Libraries by others, named once. The SDK proper uses `atomics` alone.
let atomics: Target.Dependency = .product(name: "Atomics", package: "swift-atomics")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let swiftLog: Target.Dependency = .product(name: "Logging", package: "swift-log")
let swiftMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let swiftMetricsFacade: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")
let metricsTestKit: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let inMemoryTracing: Target.Dependency = .product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let distributedTracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")

// On Apple platforms `import Combine` and `import SwiftUI` are Apple's; elsewhere they are stand-ins of the same name,
// the former over OpenCombine. GRDB and Yams ask `canImport(Combine)` and do not build over a stand-in, so they are
// built first: that is all the arrows to them are for.
#if os(Linux)
let combine: [Target.Dependency] = ["Combine"]
let swiftUI: [Target.Dependency] = ["SwiftUI"]
let standIns: [Target] = [
    .target(
        name: "Combine",
        dependencies: [.product(name: "OpenCombine", package: "OpenCombine"), grdb, yams],
        swiftSettings: strict,
    ),
    .target(name: "SwiftUI", dependencies: ["Combine", "ScreenTree"], swiftSettings: strict),
    .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI", "ScreenTree", "Combine"], swiftSettings: strict),
    // A device around the app is a thing of Linux, too: elsewhere there are others.
    .testTarget(
        name: "AstronomyShopAppTests",
        dependencies: [
            "AstronomyShopApp", "AstronomyShop", "Astrolabe", "AstrolabeTesting", "DeviceLink", "DeviceConditions",
            "ScreenTree", "SwiftUI", "ShopServer", "TelemetryModel", "Platform", "DurabilityKit", swiftLog,
        ],
        swiftSettings: strict,
    ),
]
let linuxPackages: [Package.Dependency] = [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")
]
#else
let combine: [Target.Dependency] = []
let swiftUI: [Target.Dependency] = []
let standIns: [Target] = []
let linuxPackages: [Package.Dependency] = []
#endif

// Apple's SDKs bring SQLite as a module and zlib as a library, which the module map links. pkg-config would find
// Homebrew's, which are for macOS alone, and have the linker look there for an iPhone's.
#if canImport(Darwin)
let systemSQLite: [Target.Dependency] = []
let systemLibraries: [Target] = [.systemLibrary(name: "CZlib")]
#else
let systemSQLite: [Target.Dependency] = ["CSQLite"]
let systemLibraries: [Target] = [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
]
#endif

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ subject: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: subject + "Tests",
        dependencies: [.target(name: subject)] + dependencies,
        resources: resources,
        swiftSettings: strict,
    )
}

// A name that SwiftPM does not find on the system is explained by the front door, `./astrolabe`.
let leaves: [Target] = [
    library("CChecksum"),
    library("CCrashCapture"),
    library("Gzip", ["CZlib"]),
    library("Platform", [atomics]),
    library("Journal", ["CChecksum", "Platform", atomics]),
    library("OfflineQueue", ["CChecksum", "Platform"] + systemSQLite),
    library("TelemetryModel"),
    library("Semantics"),
    library("ShopContract"),
    library("ScreenTree"),
    library("SeededRandomness"),
]

let sdk: [Target] = [
    library("DeviceConditions", ["Platform"]),
    library("Policy", ["DeviceConditions", "Platform"]),
    library("OTLP", ["TelemetryModel", "Semantics"]),
    library("Recording", ["OTLP", "TelemetryModel", "Semantics", "Platform", "CCrashCapture", atomics]),
    library("Sessions", ["Platform"]),
    library(
        "AppHealth",
        ["CCrashCapture", "Recording", "OTLP", "TelemetryModel", "Semantics", "Platform", "DeviceConditions"],
    ),
    library("ViewTracing", ["Recording", "TelemetryModel", "Semantics", "Platform"]),
    library("SessionReplay", ["Recording", "TelemetryModel", "Semantics", "Platform"]),
    library(
        "Delivery",
        [
            "OTLP", "TelemetryModel", "Platform", "Gzip", "Journal", "OfflineQueue", "Policy", "DeviceConditions",
            atomics,
        ],
    ),
    library(
        "Astrolabe",
        [
            "Recording", "Sessions", "ViewTracing", "AppHealth", "SessionReplay", "Delivery", "Journal",
            "OfflineQueue", "Policy", "DeviceConditions", "OTLP", "TelemetryModel", "Semantics", "Platform",
        ],
    ),
    library("AstrolabeSwiftUI", ["Astrolabe", "ViewTracing"] + combine + swiftUI),
    library("AstrolabeHTTP", ["Astrolabe", "Platform"]),
    library(
        "AstrolabeBridges",
        [
            "Astrolabe", "Recording", "TelemetryModel", "Semantics", "Platform", distributedTracing, swiftLog,
            swiftMetrics,
        ],
    ),
    library("AstrolabeTesting", ["Astrolabe", "OTLP", "TelemetryModel", "Gzip", "DeviceConditions", "Platform"]),
]

let servers: [Target] = [
    library(
        "LocalServer",
        ["Platform", hummingbird, hummingbirdCore, httpTypes, nioCore, serviceLifecycle, swiftLog],
        resources: [.copy("Assets")],
    )
]

let shop: [Target] = [
    library(
        "AstronomyShop",
        ["Astrolabe", "AstrolabeHTTP", "AstrolabeSwiftUI", "SeededRandomness", "ShopContract"] + combine + swiftUI,
    ),
    library(
        "ShopServer",
        [
            "ShopContract", "LocalServer", "Semantics", hummingbird, hummingbirdCore, httpTypes, nioCore, grdb,
            swiftLog,
            swiftMetricsFacade, distributedTracing,
        ],
        resources: [.copy("Pictures")],
    ),
]

let console: [Target] = [
    library("Symbols"),
    library("ConsoleStore", ["TelemetryModel", "Semantics", "Platform", grdb, grdbSQLite]),
    library(
        "TelemetryConsole",
        [
            "ConsoleStore", "LocalServer", "OTLP", "Symbols", "TelemetryModel", "Semantics", "Gzip", "Platform",
            hummingbird, hummingbirdCore, httpTypes, nioCore, serviceLifecycle, swiftLog,
        ],
        resources: [.copy("Assets")],
    ),
]

// One phone: what the app's process and the device around it say to each other.
let phone: [Target] = [
    library("DeviceLink", ["DeviceConditions", "ScreenTree", "Platform"]),
    library(
        "DeviceSimulator",
        [
            "ConsoleStore", "DeviceLink", "DeviceConditions", "ScreenTree", "LocalServer", "Platform", "TelemetryModel",
            hummingbird, hummingbirdCore, httpTypes, nioCore, nioPosix, serviceLifecycle, yams,
        ],
        resources: [.copy("Assets")],
    ),
]

// Thousands of phones in virtual time, on the SDK's own code.
let fleet: [Target] = [
    library(
        "FleetSimulator",
        [
            "Delivery", "Journal", "OfflineQueue", "Policy", "DeviceConditions", "OTLP", "TelemetryModel", "Platform",
            "Gzip", "SeededRandomness",
        ],
    )
]

// Attacks the decoders with damaged input; `./astrolabe fuzz` runs it in release mode.
let fuzzing: [Target] = [
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
        name: "AstrolabeFuzz",
        dependencies: ["OTLP", "TelemetryModel", "Gzip", "SeededRandomness", "CMalloc", argumentParser],
        swiftSettings: strict,
    ),
]

// What `Benchmarks/`, a package of its own, measures and no app may call.
let benchmarked: [Target] = [
    library(
        "BenchmarkSubjects",
        ["Journal", "OfflineQueue", "Recording", "Platform", "Astrolabe", "AstrolabeSwiftUI", "ScreenTree"] + combine
            + swiftUI, )
]

let commands: [Target] = [
    .executableTarget(
        name: "AstrolabeCLI",
        dependencies: [
            "Astrolabe", "AstrolabeBridges", "AstronomyShop", "ConsoleStore", "DeviceSimulator", "FleetSimulator",
            "LocalServer",
            "ShopContract", "ShopServer", "Symbols", "TelemetryConsole", "TelemetryModel", argumentParser, swiftLog,
        ],
        swiftSettings: strict,
    ),
    .executableTarget(
        name: "AstronomyShopApp",
        dependencies: ["AstronomyShop", "Astrolabe", "DeviceLink", "DeviceConditions", "ScreenTree", "Platform"]
            + swiftUI,
        swiftSettings: strict,
        linkerSettings: [withBuildID],
    ),
]

let proofs: [Target] = [
    // A real browser, and plain clients, for the tests of pages.
    .target(
        name: "BrowserKit",
        dependencies: [hummingbirdTesting, httpTypes, nioCore],
        path: "Tests/BrowserKit",
        swiftSettings: strict,
    ),
    // What the tests of durability share, and the process that they kill.
    .target(
        name: "DurabilityKit", dependencies: ["Platform", "SeededRandomness"], path: "Tests/DurabilityKit",
        swiftSettings: strict, ),
    .executableTarget(
        name: "KillFixture",
        dependencies: ["Journal", "OfflineQueue", "Platform", "DurabilityKit"],
        path: "Tests/KillFixture",
        swiftSettings: strict,
    ),
    .executableTarget(
        name: "SDKFixture",
        dependencies: ["Astrolabe", "Platform", "DurabilityKit"],
        path: "Tests/SDKFixture",
        swiftSettings: strict,
    ),
    // An app that ends in every way that there is, some of them C's.
    .target(name: "CCrashes", path: "Tests/CCrashes"),
    .executableTarget(
        name: "HealthFixture",
        dependencies: ["Astrolabe", "CCrashes"],
        path: "Tests/HealthFixture",
        swiftSettings: strict,
        linkerSettings: [withBuildID],
    ),
    tests(
        "AppHealth",
        [
            "CCrashCapture", "Recording", "OTLP", "TelemetryModel", "Semantics", "Platform", "Gzip", "DeviceConditions",
            "DurabilityKit", "HealthFixture", "SeededRandomness",
        ],
    ),
    // The whole SDK against kills, outages and itself, so no subject of its own.
    .testTarget(
        name: "DurabilityTests",
        dependencies: [
            "Astrolabe", "OTLP", "TelemetryModel", "Gzip", "Platform", "DurabilityKit", "SDKFixture",
        ],
        swiftSettings: strict,
    ),
    tests("Journal", ["CChecksum", "Platform", "DurabilityKit", "KillFixture", atomics]),
    tests("OfflineQueue", ["Platform", "DurabilityKit", "KillFixture", "SeededRandomness"]),
    tests("Gzip", ["SeededRandomness"]),
    tests("Platform"),
    tests("Semantics"),
    tests("DeviceConditions", ["Platform"]),
    tests("Policy", ["DeviceConditions", "Platform", "SeededRandomness"]),
    tests("ShopContract", ["SeededRandomness"]),
    tests(
        "FleetSimulator",
        ["Delivery", "DeviceConditions", "Journal", "OTLP", "OfflineQueue", "Platform", "Policy", "TelemetryModel"],
    ),
    tests(
        "OTLP", ["TelemetryModel", "Semantics", "AstrolabeFuzz", "Astrolabe", "Recording"],
        resources: [.copy("Corpus")], ),
    tests("Recording", ["OTLP", "TelemetryModel", "Semantics", "Platform", "SeededRandomness"]),
    tests("Sessions", ["Platform"]),
    tests("ViewTracing", ["Recording", "OTLP", "TelemetryModel", "Platform"]),
    tests("SessionReplay", ["Recording", "OTLP", "TelemetryModel", "Semantics", "Platform", "SeededRandomness"]),
    tests("AstrolabeSwiftUI", ["Astrolabe", "AstrolabeTesting", "ScreenTree", "TelemetryModel"] + combine + swiftUI),
    tests(
        "Delivery",
        [
            "OTLP", "TelemetryModel", "Platform", "Gzip", "Journal", "OfflineQueue", "Policy", "DurabilityKit",
            hummingbird, nioCore, swiftLog,
        ],
    ),
    tests(
        "Astrolabe",
        [
            "AstrolabeTesting", "Recording", "Delivery", "Sessions", "Policy", "DeviceConditions", "OTLP",
            "TelemetryModel", "Semantics", "Platform",
        ],
    ),
    tests(
        "AstrolabeBridges",
        [
            "Astrolabe", "Recording", "OTLP", "TelemetryModel", "Semantics", "Platform", distributedTracing, swiftLog,
            swiftMetricsFacade,
        ],
    ),
    tests("AstrolabeHTTP", ["Astrolabe", "AstrolabeTesting", "DurabilityKit", "Platform", "TelemetryModel"]),
    tests("AstrolabeTesting", ["Delivery", "Journal", "TelemetryModel", "Platform", "DurabilityKit"]),
    tests(
        "ShopServer",
        [
            "ShopContract", "LocalServer", "SeededRandomness", hummingbird, hummingbirdTesting, httpTypes, nioCore,
            swiftLog,
            inMemoryLogging, metricsTestKit, swiftMetricsFacade, distributedTracing, inMemoryTracing,
        ],
    ),
    tests(
        "AstronomyShop",
        [
            "Astrolabe", "AstrolabeHTTP", "AstrolabeTesting", "DurabilityKit", "ShopContract", "ShopServer", "OTLP",
            "ScreenTree", "TelemetryModel", "Semantics", swiftLog,
        ] + combine + swiftUI,
    ),
    tests("AstrolabeCLI", ["AstronomyShopApp", "Platform", "DurabilityKit"]),
    tests(
        "DeviceSimulator",
        [
            "AstrolabeCLI", "AstronomyShopApp", "BrowserKit", "ConsoleStore", "DeviceConditions", "DeviceLink",
            "DurabilityKit", "Platform", "ScreenTree", "SeededRandomness", "Symbols", "TelemetryConsole",
            "TelemetryModel", swiftLog,
        ],
    ),
    tests("DeviceLink", ["DeviceConditions", "ScreenTree", "Platform", "DurabilityKit"]),
    tests("Symbols"),
    tests("ConsoleStore", ["SeededRandomness", "TelemetryModel", "Platform", grdb]),
    tests(
        "TelemetryConsole",
        [
            "BrowserKit", "ConsoleStore", "DurabilityKit", "HealthFixture", "LocalServer", "Symbols", "TelemetryModel",
            "Gzip", "Platform", "SeededRandomness", hummingbird, hummingbirdTesting, httpTypes, nioCore, swiftLog,
        ],
    ),
]

let package = Package(
    name: "astrolabe",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [
        .library(name: "Astrolabe", targets: ["Astrolabe"]),
        .library(name: "AstrolabeSwiftUI", targets: ["AstrolabeSwiftUI"]),
        .library(name: "AstrolabeHTTP", targets: ["AstrolabeHTTP"]),
        .library(name: "AstrolabeBridges", targets: ["AstrolabeBridges"]),
        .library(name: "AstrolabeTesting", targets: ["AstrolabeTesting"]),
        .library(name: "AstronomyShop", targets: ["AstronomyShop"]),
        .library(name: "OTLP", targets: ["OTLP"]),
        .library(name: "BenchmarkSubjects", targets: ["BenchmarkSubjects"]),
        .executable(name: "astrolabe", targets: ["AstrolabeCLI"]),
        .executable(name: "astronomy-shop", targets: ["AstronomyShopApp"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ] + linuxPackages,
    targets: systemLibraries + leaves + standIns + sdk + servers + shop + console + phone + fleet + fuzzing
        + benchmarked + commands
        + proofs,
)
