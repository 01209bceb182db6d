import AstrolabeTestSupport
import Foundation
import Logging
import ShopServer
import Testing

/// A device, and the real backend.
func withDevice(_ body: @MainActor (TestDevice) async throws -> Void) async throws {
    try await withBackend { shop in
        let device = try TestDevice(shop)
        defer { device.collector.kill() }
        try await body(device)
    }
}

/// The real backend on a free port of loopback.
func withBackend(_ body: @MainActor (URL) async throws -> Void) async throws {
    var configuration = ShopBackend.Configuration()
    configuration.logger.logLevel = .critical
    let backend = try ShopBackend(configuration: configuration)
    let (ports, found) = AsyncStream<Int>.makeStream()
    let running = Task {
        defer { found.finish() }
        try await backend.run { found.yield($0) }
    }
    defer { running.cancel() }
    for await port in ports {
        try await body(#require(URL(string: "http://127.0.0.1:\(port)")))
        break
    }
    running.cancel()
    try await running.value
}
