// swift-tools-version:6.2
import CompilerPluginSupport
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
let testSupport: Target.Dependency = .product(name: "_AstrolabeTestSupport", package: "astrolabe")
let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let testing: Target.Dependency = .product(name: "AstrolabeTesting", package: "astrolabe")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let serverSupport: Target.Dependency = .product(name: "ServerSupport", package: "server-support")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

// On Apple platforms `import Combine` and `import SwiftUI` are Apple's; elsewhere they are stand-ins of the same name,
// the former over OpenCombine. GRDB and Yams ask `canImport(Combine)` and do not build over a stand-in, so they are
// built first: that is all the arrows to them are for. `Sources/AstrolabeSwiftUI` is a link to the SDK's sources.
#if os(Linux)
let standIns: [Target] = [
    library("Combine", [.product(name: "OpenCombine", package: "OpenCombine"), grdb, yams]),
    .macro(name: "SwiftUIMacros", packageAccess: false, swiftSettings: strict),
    library(
        "SwiftUI",
        [
            "AppHost", "Combine", "DeviceLink", "SwiftUIMacros", "UniformTypeIdentifiersForLinux", "ViewTree",
            internals,
        ]),
    // Modules that an app imports as UniformTypeIdentifiers, UIKit, CoreGraphics, os and OSLog, by an alias:
    // Docs/Decisions/0064-apps-on-linux.md.
    library("UniformTypeIdentifiersForLinux"),
    library("UIKitForLinux", ["SwiftUI"]),
    library("CoreGraphicsForLinux", ["SwiftUI"]),
    library("OSLogForLinux"),
    library("OSForLinux", ["OSLogForLinux"]),
    library("AstrolabeSwiftUI", [astrolabe, internals, "Combine", "SwiftUI"]),
    // An app that shows the phone's settings, for the tests of the phone.
    program("TraitsApp", ["SwiftUI"]),
    // An app with five tabs, for the tests of scenarios.
    program("PantryApp", ["SwiftUI"]),
    tests(
        "SwiftUITests",
        ["DeviceLink", "SwiftUI", "ViewTree", "Combine", "OSLogForLinux", "UniformTypeIdentifiersForLinux"],
    ),
    tests("PhoneTraitsTests", ["DeviceLink", "DeviceSimulator", "TraitsApp", "ViewTree", testSupport]),
    tests(
        "AstrolabeSwiftUITests",
        ["AstrolabeSwiftUI", astrolabe, testing, "ViewTree", "Combine", "SwiftUI", internals],
    ),
]
let standInProducts: [Product] = [
    .library(
        name: "SwiftUIForLinux",
        targets: [
            "SwiftUI", "Combine", "ViewTree", "AppHost", "AstrolabeSwiftUI", "UniformTypeIdentifiersForLinux",
            "UIKitForLinux", "CoreGraphicsForLinux", "OSForLinux", "OSLogForLinux",
        ]),
    .executable(name: "traits-app", targets: ["TraitsApp"]),
    .executable(name: "pantry-app", targets: ["PantryApp"]),
]
let linuxPackages: [Package.Dependency] = [
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
]
#else
let standIns: [Target] = []
let standInProducts: [Product] = []
let linuxPackages: [Package.Dependency] = []
#endif

let package = Package(
    name: "simulator",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: standInProducts + [
        .library(name: "ViewTree", targets: ["ViewTree"]),
        .library(name: "DeviceLink", targets: ["DeviceLink"]),
        .library(name: "DeviceSimulator", targets: ["DeviceSimulator"]),
        .executable(name: "witness-app", targets: ["WitnessApp"]),
    ],
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
        .package(name: "server-support", path: "../ServerSupport"),
        .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
        .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    ] + linuxPackages,
    targets: standIns + [
        library("ViewTree"),
        // What the app's process and the device around it say to each other.
        library("DeviceLink", [astrolabe, internals, "ViewTree"]),
        // Runs an app's screen on the device at the other end of the link.
        library("AppHost", ["DeviceLink", "ViewTree", astrolabe, internals]),
        // An app in virtual time that notes each record in a file of its own, for scenarios that account for all.
        program("WitnessApp", ["DeviceLink", "ViewTree", astrolabe, testing, internals]),
        library(
            "DeviceSimulator",
            [
                "DeviceLink", "ViewTree", internals, serverSupport, hummingbird, hummingbirdCore, httpTypes, nioCore,
                nioPosix, serviceLifecycle, yams, logging,
            ],
            resources: [.copy("Assets")],
        ),
        tests("AppHostTests", ["AppHost", "DeviceLink", "ViewTree", astrolabe, internals, testSupport]),
        tests("DeviceLinkTests", ["DeviceLink", "ViewTree", internals, testSupport]),
        tests(
            "DeviceSimulatorTests",
            ["DeviceLink", "DeviceSimulator", "ViewTree", internals, testSupport]),
    ],
)
