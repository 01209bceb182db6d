import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ClickHouse
import ClickHouseFixture
import ConsoleAccess
import ConsoleModel
import ConsoleTransports
import Foundation
import Logging
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(5))) struct `The readiness of the console` {
    @Test func `needs no key and no host name`() async throws {
        try await ConsoleUnderTest.run {
            _ = try? KeyFile(path: $0.keysPath, digest: .sha256).create("Ada", use: .view)
        } _: { console in
            #expect(try await HTTP.request("GET", console.address + "/api/v1/status").status == 401)
            for path in ["/healthz", "/readyz"] {
                let response = try await HTTP.request("GET", console.address + path)
                #expect(response.status == 200 && response.text == "ok\n")
                let balancer = try LineSocket.request(port: console.port, "GET \(path) HTTP/1.0\r\n\r\n")
                #expect(await balancer.lines.first { _ in true }?.contains("200 OK") == true)
                balancer.hangUp()
            }
            #expect(try await HTTP.request("POST", console.address + "/readyz").status == 404)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `ends while the disk is full, and says so without a path`() async throws {
        let folder = TemporaryDirectory()
        let disk = try SmallDisk(at: folder.path, kilobytes: 4_096)
        try await ConsoleUnderTest.run {
            $0.store.path = folder.path + "/console.sqlite"
        } _: { console in
            #expect(try await HTTP.request("GET", console.address + "/readyz").status == 200)
            let rest = folder.path + "/rest"
            #expect(FileManager.default.createFile(atPath: rest, contents: nil))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: rest))
            while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
            try file.close()
            try await eventually("the console is not ready because of the disk") {
                let response = try await HTTP.request("GET", console.address + "/readyz")
                return response.status == 503 && response.text == "the disk of the store is full\n"
            }
            #expect(try await HTTP.request("GET", console.address + "/healthz").status == 200)
            try FileManager.default.removeItem(atPath: rest)
            try await eventually("the console is ready again") {
                try await HTTP.request("GET", console.address + "/readyz").text == "ok\n"
            }
        }
        withExtendedLifetime(disk) {}
    }

    @Test func `ends when the file is removed`() async throws {
        try await ConsoleUnderTest.run { console in
            try FileManager.default.removeItem(atPath: console.console.configuration.store.path)
            try await eventually("the console is not ready because of the file") {
                let response = try await HTTP.request("GET", console.address + "/readyz")
                return response.status == 503 && response.text == "the file of the store was moved or removed\n"
            }
        }
    }

    @Test(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"))
    func `ends when ClickHouse cannot be reached`() async throws {
        let folder = TemporaryDirectory()
        let server = try await ClickHouseServer(folder: URL(fileURLWithPath: folder.path))
        let clickHouse = try server.client().configuration
        try await ConsoleUnderTest.run {
            $0.clickHouse = clickHouse
        } _: { console in
            try await console.console.store.check()
            await server.kill()
            try await eventually("the console is not ready because of the store") {
                let response = try await HTTP.request("GET", console.address + "/readyz")
                return response.status == 503 && response.text.hasPrefix("the store cannot be read and written")
            }
        }
    }

    @Test func `asks a slow store once for all, and does not wait for it`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let checks = Locked(0)
        let readiness = Readiness(
            timeout: .milliseconds(10), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        ) { () throws(StoreError) in
            checks.withLock { $0 += 1 }
            for await _ in gate {}
        }
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { await readiness.obstacle() } }
            for await obstacle in group { #expect(obstacle == Readiness.overdue) }
        }
        try await eventually("the store is asked") { checks.withLock { $0 } > 0 }
        #expect(checks.withLock { $0 } == 1)
        open.finish()
        try await eventually("the store answers") { await readiness.obstacle() == nil }
        await readiness.drain()
        #expect(await readiness.obstacle() == Readiness.draining)
    }
}
