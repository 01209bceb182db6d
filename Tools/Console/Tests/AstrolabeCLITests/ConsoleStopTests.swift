import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleStore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A console that is asked to stop` {
    @Test func `is not ready, finishes the request that has begun, and exits with 0`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let database = folder.path + "/console.sqlite"
        let console = try await RunningConsole(
            database: database, ["--drain-seconds", "3", "--shutdown-seconds", "60"], )
        let address = "http://127.0.0.1:\(console.port)"
        #expect(try await HTTP.request("GET", address + "/readyz").text == "ok\n")

        let body = String(decoding: try Self.body.bytes, as: UTF8.self)
        let sender = try LineSocket.request(
            port: console.port,
            """
            POST /v1/logs HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body.prefix(20))
            """, )
        // The console has read the beginning when it answers a later request on another connection.
        #expect(try await HTTP.request("GET", address + "/healthz").status == 200)
        console.terminate()
        var response = try await HTTP.request("GET", address + "/readyz")
        while response.status == 200 { response = try await HTTP.request("GET", address + "/readyz") }
        #expect(response.status == 503)
        #expect(response.text == "stopping: requests that have begun are finished\n")
        #expect(try await HTTP.request("GET", address + "/healthz").status == 200)
        // Until it no longer listens.
        while (try? await HTTP.request("GET", address + "/healthz")) != nil {}

        try sender.send(String(body.dropFirst(20)))
        #expect(await sender.lines.first { _ in true } == "HTTP/1.1 200 OK")
        sender.hangUp()
        #expect(await console.status() == 0)
        let store = try await SQLiteStore(StoreConfiguration(path: database))
        #expect(try await store.session("s-1")?.events == 1)
        await store.close()
    }

    private static let body: JSON = [
        "resourceLogs": [
            [
                "scopeLogs": [
                    [
                        "logRecords": [
                            [
                                "timeUnixNano": "1700000000000000000", "eventName": "demo.hello",
                                "attributes": [["key": "session.id", "value": ["stringValue": "s-1"]]],
                            ]
                        ]
                    ]
                ]
            ]
        ]
    ]
}
