import AstrolabeTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerSupport
import ShopAPI
import Testing

@testable import ShopServer

/// Runs a shop as the command line does, on a free port, and cancels it after the test.
func withRunningShop<Result: Sendable>(
    _ configure: (inout ShopBackend.Configuration) -> Void = { _ in },
    _ test: @escaping @Sendable (ShopBackend, _ port: Int) async throws -> Result,
) async throws -> Result {
    var configuration = ShopBackend.Configuration.quiet
    configure(&configuration)
    let backend = try ShopBackend(configuration: configuration)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = Task {
        defer { port.finish() }
        try await backend.run { port.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    guard let bound = await iterator.next() else {
        try await running.value
        throw CancellationError()
    }
    do {
        let result = try await test(backend, bound)
        running.cancel()
        try await running.value
        return result
    } catch {
        running.cancel()
        _ = await running.result
        throw error
    }
}

@Suite(.timeLimit(.minutes(5))) struct LifecycleTests {
    @Test func `the shop tells its port and answers there until it is cancelled`() async throws {
        let port = try await withRunningShop { _, port in
            let answer = try await get("/health", port: port)
            #expect(answer.status == .ok)
            return port
        }
        await #expect(throws: (any Error).self) { try await get("/health", port: port) }
    }

    @Test func `a request under way is answered before the shop ends`() async throws {
        let gate = Gate()
        var configuration = ShopBackend.Configuration.quiet
        configuration.flags.imageSlowLoad = 1
        configuration.sleep = { _ in await gate.wait() }
        let backend = try ShopBackend(configuration: configuration)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let running = Task { try await backend.run { port.yield($0) } }
        var iterator = ports.makeAsyncIterator()
        let bound = try #require(await iterator.next())
        async let answer = get("/images/products/RedFlashlight.jpg", port: bound)
        await gate.arrival()
        running.cancel()
        try await eventually("nothing listens on the port any more") { await refusesConnections(port: bound) }
        await gate.open()
        let response = try await answer
        #expect(response.status == .ok)
        #expect((response.body?.readableBytes ?? 0) > 10_000)
        try await running.value
    }

    @Test func `a request that does not end is cut off after the shutdown time`() async throws {
        let gate = Gate()
        try await withRunningShop { configuration in
            configuration.flags.imageSlowLoad = 60_000
            configuration.shutdownTime = .milliseconds(100)
            let (never, forever) = AsyncStream.makeStream(of: Never.self)
            configuration.sleep = { _ in
                await gate.wait()
                for await _ in never {}  // ends when the request's task is cancelled
                withExtendedLifetime(forever) {}
                try Task.checkCancellation()
            }
        } _: { _, port in
            Task { try await get("/images/products/RedFlashlight.jpg", port: port) }
            await gate.arrival()
            await gate.open()
        }
    }

    @Test func `a port in use is a clear error`() async throws {
        try await withRunningShop { _, port in
            var configuration = ShopBackend.Configuration.quiet
            configuration.port = port
            let second = try ShopBackend(configuration: configuration)
            let error = await #expect(throws: ListeningError.self) { try await second.run() }
            #expect(error == .addressInUse(host: "127.0.0.1", port: port))
            #expect(error?.description.contains("port \(port) on 127.0.0.1 is in use") == true)
        }
    }

    @Test(arguments: ["192.0.2.1", "no such host.invalid"])
    func `a host that is not this machine's is a clear error`(host: String) async throws {
        var configuration = ShopBackend.Configuration.quiet
        configuration.host = host
        let backend = try ShopBackend(configuration: configuration)
        await #expect(throws: ListeningError.hostUnavailable(host: host)) { try await backend.run() }
    }

    @Test func `only the owner may read the database, also one that others could read`() async throws {
        try await withTemporaryFolder { folder in
            var configuration = ShopBackend.Configuration.quiet
            let path = folder.appendingPathComponent("shop.sqlite").path
            configuration.databasePath = path
            for _ in 0..<2 {
                let shop = try ShopBackend(configuration: configuration)
                for file in [path, path + "-wal", path + "-shm"] {
                    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                    #expect(mode == 0o600, "\(file)")
                    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                }
                withExtendedLifetime(shop) {}
            }
        }
    }

    @Test func `a database that cannot be opened is a clear error`() {
        var configuration = ShopBackend.Configuration.quiet
        configuration.databasePath = "/nowhere/at/all/shop.sqlite"
        let error = #expect(throws: ShopBackendError.self) { try ShopBackend(configuration: configuration) }
        #expect(error?.description.contains("/nowhere/at/all/shop.sqlite") == true)
    }

    @Test func `connections over the limit are served as well`() async throws {
        try await withRunningShop {
            $0.limits.connections = 2
        } _: { _, port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let answer = try await get("/health", port: port)
                        #expect(answer.status == .ok)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

private func get(_ target: String, port: Int) async throws -> TestClient.Response {
    try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
        try await client.execute(.init(target, method: .get, authority: "127.0.0.1:\(port)", headers: [:], body: nil))
    }
}

private func refusesConnections(port: Int) async -> Bool { (try? await get("/health", port: port)) == nil }
