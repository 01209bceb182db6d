// swift-tools-version:6.2
import PackageDescription

// Outside of the workspace: only who compares fetches and compiles the other SDKs.
let package = Package(
    name: "peers",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "astrolabe", path: "../.."),
        .package(url: "https://github.com/open-telemetry/opentelemetry-swift-core.git", exact: "2.5.1"),
        .package(url: "https://github.com/swift-otel/swift-otel.git", exact: "1.5.0", traits: ["OTLPHTTP"]),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.12.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.4.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.4.1"),
    ],
    targets: [
        .executableTarget(
            name: "Peers",
            dependencies: [
                .product(name: "Astrolabe", package: "astrolabe"),
                .product(name: "OpenTelemetryApi", package: "opentelemetry-swift-core"),
                .product(name: "OpenTelemetrySdk", package: "opentelemetry-swift-core"),
                .product(name: "OpenTelemetryConcurrency", package: "opentelemetry-swift-core"),
                .product(name: "OTel", package: "swift-otel"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
        )
    ],
    swiftLanguageModes: [.v6],
)
