// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    products: [.executable(name: "benchmarks", targets: ["Benchmarks"])],
    dependencies: [.package(name: "astrolabe", path: "..")],
    targets: [
        .target(name: "CAllocations", linkerSettings: [.linkedLibrary("z")]),
        .systemLibrary(name: "SystemSQLite", pkgConfig: "sqlite3"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CAllocations", "SystemSQLite",
                .product(name: "Astrolabe", package: "astrolabe"),
                .product(name: "BenchmarkSubjects", package: "astrolabe"),
                .product(name: "OTLP", package: "astrolabe"),
            ],
            swiftSettings: strict,
        ),
    ],
)
