// swift-tools-version:6.2
import PackageDescription

// The SDK and nothing else. An app that adds it resolves swift-atomics and no other package.
// The other houses of this repository are packages of their own: Integrations, Examples, Tools and Lab.

// The same rules in every house: Swift 6, explicit access on imports, warnings are errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let atomics: Target.Dependency = .product(name: "Atomics", package: "swift-atomics")

/// A target whose name has the prefix that its folder leaves out, so that it collides with no other package's target.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], folder: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder ?? short(name))", swiftSettings: strict)
}

func tests(_ subject: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: subject + "Tests",
        dependencies: [.target(name: subject)] + dependencies,
        path: "Tests/\(short(subject))Tests",
        exclude: exclude,
        swiftSettings: strict,
    )
}

/// The products' names are those of their folders.
let facades = [
    "Astrolabe", "AstrolabeAutomatic", "AstrolabeDeclarative", "AstrolabeExtras", "AstrolabeHTTP", "AstrolabeLinux",
    "AstrolabeSwiftUI", "AstrolabeTesting", "AstrolabeUIKit",
]

/// "AstrolabeJournal" lies in "Journal", "CAstrolabeZlib" in "CZlib".
func short(_ name: String) -> String {
    let prefix = "Astrolabe"
    if facades.contains(name) { return name }
    return name.hasPrefix("C" + prefix) ? "C" + name.dropFirst(prefix.count + 1) : String(name.dropFirst(prefix.count))
}

// Apple's SDKs have SQLite as a module and zlib as a library, which the module map links. pkg-config would find
// Homebrew's, which are built for macOS alone.
#if canImport(Darwin)
let systemSQLite: [Target.Dependency] = []
let systemLibraries: [Target] = [.systemLibrary(name: "CAstrolabeZlib", path: "Sources/CZlib")]
#else
let systemSQLite: [Target.Dependency] = ["CAstrolabeSQLite"]
let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CAstrolabeZlib", path: "Sources/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
        name: "CAstrolabeSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])],
    ),
]
#endif

// Linux has no SwiftUI. There the simulator's package compiles the sources of AstrolabeSwiftUI over its stand-in, and
// the product is an empty module here, so that a manifest may name it on every platform.
#if os(Linux)
let swiftUI = library("AstrolabeSwiftUIPlaceholder", folder: "SwiftUIPlaceholder")
#else
let swiftUI = library("AstrolabeSwiftUI", ["Astrolabe", "AstrolabeViewTracing"])
#endif

// Apple's tools read the privacy manifest from the package's resource bundle. Other platforms do without the bundle.
#if canImport(Darwin)
let privacyManifest: (resources: [Resource], excluded: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
let privacyManifest: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let sdk: [Target] = [
    library("CAstrolabeChecksum"),
    library("CAstrolabeCrashCapture"),
    library("CAstrolabeCurl"),
    library("CAstrolabeTextScan"),
    library("AstrolabeGzip", ["CAstrolabeZlib"]),
    library("AstrolabePlatform", [atomics]),
    library("AstrolabeTelemetryModel"),
    library("AstrolabeSemantics"),
    library("AstrolabeSeededRandomness"),
    library("AstrolabeJSONTokens"),
    library("AstrolabeJournal", ["CAstrolabeChecksum", "AstrolabePlatform", atomics]),
    library("AstrolabeOfflineQueue", ["CAstrolabeChecksum", "AstrolabePlatform"] + systemSQLite),
    library("AstrolabeDeviceConditions", ["AstrolabePlatform"]),
    library("AstrolabePolicy", ["AstrolabeDeviceConditions", "AstrolabePlatform"]),
    // What an app writes of OTLP, and the little it reads. The decoder is for servers, tools and tests.
    library("AstrolabeWire", ["AstrolabeTelemetryModel"]),
    library("AstrolabeOTLP", ["AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeGzip"]),
    // Remote policy, which an app without `AstrolabeRemotePolicy` does not link.
    library("AstrolabeOpAMP", ["AstrolabeWire", "AstrolabeTelemetryModel"]),
    library("AstrolabePolicyDocument", ["AstrolabeJSONTokens", "AstrolabeOpAMP", "AstrolabePolicy"]),
    library(
        "AstrolabeRecording",
        [
            "AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform",
            "CAstrolabeCrashCapture", "CAstrolabeTextScan", atomics,
        ],
    ),
    library("AstrolabeSessions", ["AstrolabePlatform"]),
    library(
        "AstrolabeAppHealth",
        [
            "CAstrolabeCrashCapture", "AstrolabeRecording", "AstrolabeWire", "AstrolabeTelemetryModel",
            "AstrolabeSemantics", "AstrolabePlatform", "AstrolabeDeviceConditions",
        ],
    ),
    library(
        "AstrolabeViewTracing",
        ["AstrolabeRecording", "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform"],
    ),
    library(
        "AstrolabeDelivery",
        [
            "CAstrolabeCurl", "AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform",
            "AstrolabeGzip", "AstrolabeJournal", "AstrolabeOfflineQueue", "AstrolabePolicy", atomics,
        ],
    ),
    .target(
        name: "Astrolabe",
        dependencies: [
            "AstrolabeRecording", "AstrolabeSessions", "AstrolabeViewTracing", "AstrolabeAppHealth",
            "AstrolabeDelivery", "AstrolabeJournal", "AstrolabePolicy",
            "AstrolabeDeviceConditions", "AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeSemantics",
            "AstrolabePlatform", atomics,
        ],
        exclude: privacyManifest.excluded,
        resources: privacyManifest.resources,
        swiftSettings: strict,
    ),
    swiftUI,
    // Empty where there is no UIKit.
    library("AstrolabeUIKit", ["Astrolabe", "AstrolabeHTTP", "AstrolabeViewTracing"]),
    library("AstrolabeAutomatic", ["Astrolabe", "AstrolabeRecording", "AstrolabeUIKit", "AstrolabeViewTracing"]),
    library("AstrolabeHTTP", ["Astrolabe", "AstrolabeRecording", "AstrolabeSemantics", "AstrolabePlatform"]),
    // An app without a replay does not link it.
    library(
        "AstrolabeSessionReplay",
        ["Astrolabe", "AstrolabeRecording", "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform"],
    ),
    // An app without remote policy does not link it.
    library(
        "AstrolabeRemotePolicy",
        [
            "Astrolabe", "AstrolabeDelivery", "AstrolabeOpAMP", "AstrolabePlatform", "AstrolabePolicy",
            "AstrolabePolicyDocument", "AstrolabeSemantics", "AstrolabeTelemetryModel",
        ],
    ),
    // The device conditions of an app on plain Linux. Empty on other systems.
    library("AstrolabeLinux", ["AstrolabeDeviceConditions", "AstrolabePlatform"]),
    // Parts of the specification that few apps need.
    library("AstrolabeExtras", ["AstrolabeRecording", "AstrolabeTelemetryModel"]),
    library(
        "AstrolabeDeclarative",
        [
            "Astrolabe", "AstrolabeExtras", "AstrolabeDelivery", "AstrolabeJSONTokens", "AstrolabeRecording",
            "AstrolabeTelemetryModel",
        ],
    ),
    library(
        "AstrolabeTesting",
        [
            "Astrolabe", "AstrolabeDelivery", "AstrolabeOTLP", "AstrolabeTelemetryModel", "AstrolabeGzip",
            "AstrolabeDeviceConditions", "AstrolabePlatform", "AstrolabeRecording",
        ],
    ),
]

let proofs: [Target] = [
    // Servers, sockets and processes for tests, and a process that they kill.
    .target(
        name: "AstrolabeTestSupport",
        dependencies: [
            "AstrolabeOTLP", "AstrolabePlatform", "AstrolabeSeededRandomness", "AstrolabeTelemetryModel",
            "AstrolabeWire",
        ],
        path: "Tests/Support/TestSupport",
        swiftSettings: strict,
    ),
    .executableTarget(
        name: "AstrolabeKillFixture",
        dependencies: [
            "AstrolabeDelivery", "AstrolabeJournal", "AstrolabeOfflineQueue", "AstrolabePlatform",
            "AstrolabeTelemetryModel", "AstrolabeTestSupport", "AstrolabeWire",
        ],
        path: "Tests/Support/KillFixture",
        swiftSettings: strict,
    ),
    tests(
        "AstrolabeAppHealth",
        [
            "CAstrolabeCrashCapture", "AstrolabeRecording", "AstrolabeTelemetryModel", "AstrolabeSemantics",
            "AstrolabePlatform", "AstrolabeDeviceConditions", "AstrolabeTestSupport", "AstrolabeSeededRandomness",
            "AstrolabeOTLP", "AstrolabeWire",
        ],
    ),
    tests(
        "AstrolabeJournal",
        ["CAstrolabeChecksum", "AstrolabePlatform", "AstrolabeTestSupport", "AstrolabeKillFixture", atomics],
    ),
    tests(
        "AstrolabeOfflineQueue",
        ["AstrolabePlatform", "AstrolabeTestSupport", "AstrolabeKillFixture", "AstrolabeSeededRandomness"],
    ),
    tests("AstrolabeGzip", ["AstrolabeSeededRandomness"]),
    tests("AstrolabePlatform"),
    tests("AstrolabeSemantics", ["AstrolabeTestSupport"]),
    tests("AstrolabeDeviceConditions", ["AstrolabePlatform", "AstrolabeTestSupport"]),
    tests(
        "AstrolabePolicy",
        ["AstrolabeDeviceConditions", "AstrolabePlatform", "AstrolabeSeededRandomness", "AstrolabeTestSupport"],
    ),
    tests(
        "AstrolabeOTLP",
        ["AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeSeededRandomness", "AstrolabeTestSupport"],
    ),
    // Compiled as another package's code, which sees what is public.
    .testTarget(
        name: "AstrolabeOTLPExampleTests",
        dependencies: ["AstrolabeOTLP"],
        path: "Tests/OTLPExampleTests",
        packageAccess: false,
        swiftSettings: strict,
    ),
    tests(
        "AstrolabeRecording",
        [
            "AstrolabeExtras", "AstrolabeOTLP", "AstrolabeWire", "AstrolabeTelemetryModel", "AstrolabeSemantics",
            "AstrolabePlatform", "AstrolabeSeededRandomness", "AstrolabeTestSupport",
        ],
        exclude: ["Redaction/Corpus"],
    ),
    tests("AstrolabeWire", ["AstrolabeTelemetryModel"]),
    tests("AstrolabeOpAMP", ["AstrolabeTelemetryModel"]),
    tests(
        "AstrolabePolicyDocument",
        ["AstrolabeOpAMP", "AstrolabePolicy", "AstrolabeSeededRandomness", "AstrolabeTestSupport"],
    ),
    tests("AstrolabeSessions", ["AstrolabePlatform", "AstrolabeTestSupport"]),
    tests(
        "AstrolabeViewTracing",
        [
            "AstrolabeRecording", "AstrolabeTelemetryModel", "AstrolabePlatform", "AstrolabeTestSupport",
        ],
    ),
    tests(
        "AstrolabeSessionReplay",
        [
            "Astrolabe", "AstrolabeRecording", "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform",
            "AstrolabeSeededRandomness", "AstrolabeTestSupport",
        ],
    ),
    tests(
        "AstrolabeRemotePolicy",
        [
            "Astrolabe", "AstrolabeDelivery", "AstrolabeOpAMP", "AstrolabeOTLP", "AstrolabePlatform",
            "AstrolabePolicy", "AstrolabePolicyDocument", "AstrolabeTelemetryModel", "AstrolabeTesting",
            "AstrolabeTestSupport",
        ],
    ),
    tests(
        "AstrolabeDelivery",
        [
            "AstrolabeOTLP", "AstrolabeTelemetryModel", "AstrolabePlatform", "AstrolabeGzip", "AstrolabeJournal",
            "AstrolabeOfflineQueue", "AstrolabePolicy", "AstrolabeWire", "AstrolabeTestSupport",
            "AstrolabeKillFixture",
        ],
    ),
    tests(
        "Astrolabe",
        [
            "AstrolabeTesting", "AstrolabeRecording", "AstrolabeDelivery", "AstrolabeSessions", "AstrolabePolicy",
            "AstrolabeSessionReplay", "AstrolabeDeviceConditions", "AstrolabeOTLP", "AstrolabeWire",
            "AstrolabeTelemetryModel", "AstrolabeSemantics", "AstrolabePlatform", "AstrolabeTestSupport",
            "AstrolabeViewTracing", "AstrolabeJournal",
        ],
    ),
    tests(
        "AstrolabeDeclarative",
        [
            "Astrolabe", "AstrolabeExtras", "AstrolabeDelivery", "AstrolabePlatform", "AstrolabeRecording",
            "AstrolabeSeededRandomness", "AstrolabeTelemetryModel", "AstrolabeTesting", "AstrolabeTestSupport",
        ],
    ),
    tests(
        "AstrolabeHTTP",
        [
            "Astrolabe", "AstrolabeExtras", "AstrolabeRecording", "AstrolabeTesting", "AstrolabeTestSupport",
            "AstrolabePlatform",
        ],
    ),
    tests("AstrolabeLinux", ["AstrolabeDeviceConditions", "AstrolabePlatform", "AstrolabeTestSupport"]),
    tests("AstrolabeAutomatic", ["Astrolabe", "AstrolabeViewTracing", "AstrolabeTesting"]),
    tests(
        "AstrolabeTesting",
        [
            "Astrolabe", "AstrolabeDelivery", "AstrolabeJournal", "AstrolabeTelemetryModel", "AstrolabePlatform",
            "AstrolabeTestSupport",
        ],
        exclude: ["Examples/Fixtures", "Examples/Snapshots"],
    ),
    // Cases that hold the Kotlin sources in Android/ to the SDK. `./astrolabe vectors` writes them from here.
    .testTarget(
        name: "AstrolabeAndroidVectorTests",
        dependencies: [
            "Astrolabe", "AstrolabeDelivery", "AstrolabeDeviceConditions", "AstrolabeHTTP", "AstrolabeOfflineQueue",
            "AstrolabeOpAMP", "AstrolabePlatform", "AstrolabePolicy", "AstrolabePolicyDocument", "AstrolabeRecording",
            "AstrolabeSeededRandomness", "AstrolabeSemantics", "AstrolabeTelemetryModel", "AstrolabeTesting",
            "AstrolabeTestSupport",
        ],
        path: "Tests/AndroidVectorTests",
        swiftSettings: strict,
    ),
    // The code of the pages, which Scripts/snippets copies from here. It is compiled as another package's, which sees
    // what is public.
    .testTarget(
        name: "AstrolabeDocumentationTests",
        dependencies: [
            "Astrolabe", "AstrolabeAutomatic", "AstrolabeDeclarative", "AstrolabeExtras", "AstrolabeHTTP",
            "AstrolabeRemotePolicy", "AstrolabeSessionReplay", "AstrolabeTesting", "AstrolabeUIKit",
        ],
        path: "Tests/DocumentationTests",
        packageAccess: false,
        swiftSettings: strict,
    ),
]

let package = Package(
    name: "astrolabe",
    platforms: [.iOS(.v16), .macCatalyst(.v16), .macOS(.v13), .tvOS(.v16), .visionOS(.v1)],
    products: [
        .library(name: "Astrolabe", targets: ["Astrolabe"]),
        .library(name: "AstrolabeSwiftUI", targets: [swiftUI.name]),
        .library(name: "AstrolabeUIKit", targets: ["AstrolabeUIKit"]),
        .library(name: "AstrolabeAutomatic", targets: ["AstrolabeAutomatic"]),
        .library(name: "AstrolabeHTTP", targets: ["AstrolabeHTTP"]),
        .library(name: "AstrolabeSessionReplay", targets: ["AstrolabeSessionReplay"]),
        .library(name: "AstrolabeRemotePolicy", targets: ["AstrolabeRemotePolicy"]),
        .library(name: "AstrolabeExtras", targets: ["AstrolabeExtras"]),
        .library(name: "AstrolabeDeclarative", targets: ["AstrolabeDeclarative"]),
        .library(name: "AstrolabeLinux", targets: ["AstrolabeLinux"]),
        .library(name: "AstrolabeTesting", targets: ["AstrolabeTesting"]),
        .library(name: "AstrolabeOTLP", targets: ["AstrolabeOTLP"]),
        // For the other houses of this repository: all of it is `package`, and none of it is promised. It leaves out
        // what only apps and tests use, so that a first build of the tools does not compile it.
        .library(
            name: "_AstrolabeInternals",
            targets: sdk.map(\.name).filter { name in
                ![
                    swiftUI.name, "AstrolabeTesting", "AstrolabeUIKit", "AstrolabeAutomatic", "AstrolabeDeclarative",
                    "AstrolabeLinux", "AstrolabeExtras",
                ].contains(name)
            },
        ),
        .library(name: "_AstrolabeTestSupport", targets: ["AstrolabeTestSupport"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-atomics", from: "1.3.0")],
    targets: systemLibraries + sdk + proofs,
)
