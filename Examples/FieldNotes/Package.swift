// swift-tools-version:6.2
import PackageDescription

// On Linux the app's views compile against the stand-ins of Tools/Simulator, and the app runs on a simulated phone.
#if os(Linux)
let swiftUI: [Target.Dependency] = [.product(name: "SwiftUIForLinux", package: "simulator")]
let linuxPackages: [Package.Dependency] = [.package(name: "simulator", path: "../../Tools/Simulator")]
#else
let swiftUI: [Target.Dependency] = [.product(name: "AstrolabeSwiftUI", package: "astrolabe")]
let linuxPackages: [Package.Dependency] = []
#endif

let package = Package(
    name: "field-notes",
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [.executable(name: "field-notes", targets: ["FieldNotes"])],
    dependencies: [.package(name: "astrolabe", path: "../..")] + linuxPackages,
    targets: [
        .executableTarget(
            name: "FieldNotes",
            dependencies: [
                .product(name: "Astrolabe", package: "astrolabe"),
                .product(name: "AstrolabeHTTP", package: "astrolabe"),
            ] + swiftUI,
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .treatAllWarnings(as: .error),
            ],
        )
    ],
)
