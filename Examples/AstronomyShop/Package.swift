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

let astrolabe: Target.Dependency = .product(name: "Astrolabe", package: "astrolabe")
let astrolabeHTTP: Target.Dependency = .product(name: "AstrolabeHTTP", package: "astrolabe")
let replay: Target.Dependency = .product(name: "AstrolabeSessionReplay", package: "astrolabe")

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
    )
]
let phoneProducts: [Product] = [.executable(name: "astronomy-shop", targets: ["AstronomyShopApp"])]
let linuxPackages: [Package.Dependency] = [.package(name: "simulator", path: "../../Tools/Simulator")]
#else
let swiftUI: [Target.Dependency] = [.product(name: "AstrolabeSwiftUI", package: "astrolabe")]
let onThePhone: [Target] = []
let phoneProducts: [Product] = []
let linuxPackages: [Package.Dependency] = []
#endif

// The app alone, so that the Xcode project resolves the SDK and swift-atomics. The backend and the tests, which run the
// app against it, are in Examples/ShopServer.
let package = Package(
    name: "astronomy-shop",
    defaultLocalization: "en",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [
        .library(name: "AstronomyShop", targets: ["AstronomyShop"]),
        .library(name: "ShopAPI", targets: ["ShopAPI"]),
    ] + phoneProducts,
    dependencies: [.package(name: "astrolabe", path: "../..")] + linuxPackages,
    targets: onThePhone + [
        // The requests and responses between the app and the backend.
        library("ShopAPI"),
        library("AstronomyShop", [astrolabe, astrolabeHTTP, replay, "ShopAPI"] + swiftUI),
    ],
)
