import DurabilityKit
import Foundation
import Logging
import ShopServer
import Testing

/// A device, and the real backend on a free port of loopback.
func withDevice(_ body: @MainActor (TestDevice) async throws -> Void) async throws {
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
        let device = try await TestDevice(#require(URL(string: "http://127.0.0.1:\(port)")))
        defer { device.collector.kill() }
        try await body(device)
        break
    }
    running.cancel()
    try await running.value
}
