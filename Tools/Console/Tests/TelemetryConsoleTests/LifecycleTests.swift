import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleModel
import ConsoleStore
import ConsoleTransports
import Foundation
import NIOCore
import ServerSupport
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test
    func `the error names a port that is in use`() async throws {
        try await ConsoleUnderTest.run { console in
            let folder = try Scratch.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.port = console.port
            let second = try await ConsoleServer(configuration)
            let error = await #expect(throws: ListeningError.self) { try await second.run() }
            #expect(error == .addressInUse(host: "127.0.0.1", port: console.port))
            #expect(error?.description.contains("another port") == true)
        }
    }

    @Test
    func `the error names a host that is not an address of this machine`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        configuration.host = "203.0.113.7"
        _ = try KeyFile(path: configuration.keysPath, digest: .sha256).create("anyone", use: .view)
        let console = try await ConsoleServer(configuration)
        let error = await #expect(throws: ListeningError.self) { try await console.run() }
        #expect(error == .hostUnavailable(host: "203.0.113.7"))
    }

    @Test
    func `a database of another program is rejected before the console listens`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        try Data(repeating: 0x41, count: 9_000).write(to: URL(fileURLWithPath: configuration.store.path))
        await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(configuration) }
    }

    @Test
    func `a restarted console still has its sessions`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = ConsoleUnderTest.configuration(in: folder).store.path
        let visit = ShopVisit.purchase()
        try await ConsoleUnderTest.run {
            $0.store.path = path
        } _: {
            try await $0.send(visit)
        }
        try await ConsoleUnderTest.run {
            $0.store.path = path
        } _: { console in
            let session = try await console.get("/api/v1/sessions/\(visit.session)")
            #expect(session["requests"].int == 9)
        }
    }

    @Test
    func `a stop during requests loses no acknowledged record`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = ConsoleUnderTest.configuration(in: folder).store.path
        let (acknowledged, acknowledge) = AsyncStream.makeStream(of: String.self)
        let senders = try await ConsoleUnderTest.run {
            $0.store.path = path
        } _: { console in
            let senders = (0..<40).map { number in
                Task {
                    let visit = ShopVisit.purchase(number: number)
                    try await console.send(visit.phoneTraceBody, to: .traces)
                    acknowledge.yield(visit.session)
                }
            }
            _ = await acknowledged.first { _ in true }
            return senders
        }
        for sender in senders { _ = await sender.result }
        acknowledge.finish()
        let store = try await SQLiteStore(StoreConfiguration(path: path))
        for await session in acknowledged {
            #expect(try await store.session(session) != nil, "\(session)")
        }
        await store.close()
    }

    @Test
    func `retention runs beside the server`() async throws {
        // A clock that advances by an hour on every read.
        let clock = Locked<UInt64>(1_790_000_000_000_000_000)
        try await ConsoleUnderTest.run {
            $0.store.retention.age = .zero
            $0.store.now = {
                clock.withLock { time in
                    time += 3_600_000_000_000
                    return time
                }
            }
            $0.store.elapsed = $0.store.now
            $0.retentionInterval = .milliseconds(5)
        } _: { console in
            try await console.send(ShopVisit.purchase())
            try await eventually("retention has removed the session") {
                try await console.get("/api/v1/status")["sessions"].int == 0
            }
        }
    }

    /// As `astrolabe-local` starts one.
    @Test
    func `a console without capabilities refuses gRPC, TLS and a file with keys`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func start(_ adjust: (inout ConsoleConfiguration) throws -> Void) async throws {
            var configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.capabilities = ConsoleCapabilities()
            try adjust(&configuration)
            _ = try await ConsoleServer(configuration)
        }
        await #expect(throws: ConsoleError.notBuilt("OTLP over gRPC")) { try await start { $0.grpcPort = 0 } }
        await #expect(throws: ConsoleError.notBuilt("TLS")) {
            try await start { $0.tls = ConsoleCertificate(certificatePath: "chain.pem", keyPath: "key.pem") }
        }
        await #expect(throws: ConsoleError.keys(.noDigest)) {
            try await start { _ = try KeyFile(path: $0.keysPath, digest: .sha256).create("Ada", use: .view) }
        }
    }

    @Test
    func `a request that has begun is completed when the console stops`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        // The test ends it.
        configuration.shutdownTime = .seconds(3_600)
        configuration.limits.connections.bodyWindow = .hours(1)
        let console = try await ConsoleServer(configuration)
        let (ready, becomeReady) = AsyncStream.makeStream(of: ConsolePorts.self)
        let running = Task { try await console.run { becomeReady.yield($0) } }
        let port = try #require(await ready.first { _ in true }).http
        let body = String(decoding: try ShopVisit.purchase().phoneTraceBody.bytes, as: UTF8.self)
        let sender = try LineSocket.request(
            port: port,
            """
            POST /v1/traces HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body.prefix(20))
            """)
        try await eventually("the console reads the body") { console.receiver.memoryInUse > 0 }
        running.cancel()
        try await eventually("the console listens no more") {
            (try? LineSocket.request(port: port, "")) == nil
        }
        try sender.send(String(body.dropFirst(20)))
        #expect(await sender.lines.first { _ in true } == "HTTP/1.1 200 OK")
        sender.hangUp()
        try await running.value
        let store = try await SQLiteStore(configuration.store)
        #expect(try await store.session(ShopVisit.purchase().session) != nil)
        await store.close()
    }
}
