import ArgumentParser
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import TelemetryConsole
import Testing

@testable import AstrolabeCommands

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `A console that forwards` {
    /// An upstream; each request that it answers is in `requests`.
    private struct Upstream {
        let server: LoopbackServer
        let requests: AsyncStream<HTTPRequest>

        init(_ answer: @escaping @Sendable (HTTPRequest) -> LoopbackServer.Answer) throws {
            let (requests, arrival) = AsyncStream.makeStream(of: HTTPRequest.self)
            self.requests = requests
            server = try LoopbackServer { request in
                let answer = answer(request)
                if case .nothing = answer { return answer }
                arrival.yield(request)
                return answer
            }
        }
    }

    private static func log(_ time: Int) -> String {
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"\#(time)","eventName":"e"}]}]}]}"#
    }

    private static func send(
        _ body: String, to console: String, path: String = "/v1/logs",
    ) async throws -> SendResult {
        let url = try #require(URL(string: console + path))
        let headers = ["Content-Type": "application/json", "X-Client-Key": "of-the-client"]
        return await URLSessionTransport().send(
            OTLPRequest(url: url, headers: headers, body: Array(body.utf8), timeout: .seconds(60)))
    }

    private static func isAccepted(_ result: SendResult) -> Bool {
        if case .response(200, _, _) = result { true } else { false }
    }

    /// Starts a console as a process, and returns its address.
    private static func start(_ folder: String, port: UInt16) throws -> (process: KilledProcess, address: String) {
        let process = try KilledProcess(
            [
                "console", "--port", "0", "--grpc-port", "0", "--database", folder + "/console.sqlite", "--forward",
                "http://127.0.0.1:\(port)", "--forward-header", "x-upstream-key=secret-7",
            ], of: "astrolabe")
        let output = FileHandle(fileDescriptor: process.descriptor, closeOnDealloc: false)
        var text = ""
        while !text.contains("/ (press") {
            let part = output.availableData
            try #require(!part.isEmpty, "the console ended: \(text)")
            text += String(decoding: part, as: UTF8.self)
        }
        let address = try #require(text.firstMatch(of: /http:\/\/[0-9.:]+/)).output
        return (process, String(address))
    }

    @Test(arguments: ServerFault.trailers + ServerFault.sizes)
    func `outlives an upstream that misbehaves`(_ fault: ServerFault) async throws {
        let (requests, arrival) = AsyncStream.makeStream(of: Void.self)
        let upstream = try RawServer { _, connection in
            arrival.yield()
            fault.act(connection)
        }
        let folder = TemporaryDirectory()
        let console = try Self.start(folder.path, port: UInt16(upstream.port))
        #if os(Linux)
        let before = console.process.usage.mebibytes
        #endif
        #expect(Self.isAccepted(try await Self.send(Self.log(1), to: console.address)))
        var arrivals = requests.makeAsyncIterator()
        // Two attempts, or two requests: it has survived the first.
        _ = await arrivals.next()
        if fault.expectation == .status(200) {
            #expect(Self.isAccepted(try await Self.send(Self.log(2), to: console.address)))
        }
        _ = await arrivals.next()
        #expect(Self.isAccepted(try await Self.send(Self.log(3), to: console.address)))
        #if os(Linux)
        #expect(console.process.usage.mebibytes < before + 64)
        #endif
        console.process.kill()
    }

    @Test func `sends each acknowledged request after a restart, when the upstream is back`() async throws {
        let isUp = Locked(false)
        // An upstream that is down resets connections. Its port stays its own.
        let upstream = try Upstream { _ in isUp.withLock { $0 } ? .status(200) : .nothing }
        defer { upstream.server.kill() }
        let (plug, folder) = try await Self.plug(upstream.server.port)
        let sent = Set((1...30).map(Self.log))
        for body in sent { #expect(Self.isAccepted(try await Self.send(body, to: await plug.address))) }
        try await plug.unplug()

        isUp.withLock { $0 = true }
        try await plug.plugIn()
        var received: Set<String> = []
        for await request in upstream.requests {
            received.insert(String(decoding: request.body, as: UTF8.self))
            if received.count == sent.count { break }
        }
        #expect(received == sent)
        try await plug.unplug()
        withExtendedLifetime(folder) {}
    }

    @Test func `sends each request that it acknowledged before a kill -9 under load`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let upstream = try Upstream { _ in .status(200) }
        defer { upstream.server.kill() }
        let first = try Self.start(folder.path, port: upstream.server.port)
        let address = first.address
        let (acknowledgements, acknowledged) = AsyncStream.makeStream(of: String.self)
        let senders = Task {
            try await withThrowingTaskGroup { group in
                for sender in 1...8 {
                    group.addTask {
                        for number in 0... {
                            let body = Self.log(sender * 1_000_000 + number)
                            // The kill breaks off what is on its way.
                            guard Self.isAccepted(try await Self.send(body, to: address)) else { return }
                            acknowledged.yield(body)
                        }
                    }
                }
                try await group.waitForAll()
            }
            acknowledged.finish()
        }
        var missing: Set<String> = []
        for await body in acknowledgements {
            missing.insert(body)
            if missing.count == 100 { first.process.kill() }
        }
        try await senders.value
        #expect(missing.count >= 100)

        let second = try Self.start(folder.path, port: upstream.server.port)
        defer { second.process.kill() }
        for await request in upstream.requests {
            #expect(request.head.headers["x-upstream-key"] == "secret-7")
            #expect(request.head.headers["x-client-key"] == nil)
            missing.remove(String(decoding: request.body, as: UTF8.self))
            if missing.isEmpty { break }
        }
        #expect(missing.isEmpty)
    }

    @Test func `takes headers from the environment, a file and options, and shows no value`() throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let file = folder.path + "/headers"
        try Data("b=from-file\n\nc=from-file=x\n".utf8).write(to: URL(fileURLWithPath: file))
        let options = try ForwardingOptions.parse([
            "--forward", "https://otel.example.com", "--forward-headers-file", file, "--forward-header", "C=secret-7",
        ])
        let environment = [ForwardingOptions.variable: "a=from-environment\nb=from-environment"]
        let made = try options.configuration(folder: URL(fileURLWithPath: folder.path), environment: environment)
        let forwarding = try #require(made)
        #expect(forwarding.endpoint.headers == ["a": "from-environment", "b": "from-file", "c": "secret-7"])
        #expect(!"\(forwarding)".contains("secret-7"))
        let error = #expect(throws: (any Error).self) {
            try ForwardingOptions.parse(["--forward", "http://a", "--forward-header", "secret-7"])
        }
        #expect(
            ForwardingOptions.message(for: try #require(error))
                == "--forward-header: expected NAME=VALUE, found a header of another form")
    }

    private static func plug(_ port: UInt16, bytes: Int = 1 << 20) async throws -> (ConsoleSwitch, TemporaryDirectory) {
        let folder = TemporaryDirectory()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let plug = try await ConsoleSwitch.listening(on: folder.path + "/console.sqlite") {
            var forwarding = ForwardingConfiguration(
                endpoint: OTLPEndpoint(url: url), queuePath: folder.path + "/forward/queue.db")
            forwarding.queueBytes = bytes
            $0.forwarding = forwarding
        }
        return (plug, folder)
    }

    private static func state(_ console: String) async throws -> [String: Any] {
        let url = try #require(URL(string: console + "/api/v1/forwarding"))
        let (body, _) = try await URLSession.shared.data(from: url)
        return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    @Test func `waits as long as the upstream asks`() async throws {
        let times = Locked<[ContinuousClock.Instant]>([])
        let upstream = try Upstream { _ in
            let count = times.withLock { times in
                times.append(.now)
                return times.count
            }
            return count == 1 ? .status(503, headers: ["Retry-After": "2"]) : .status(200)
        }
        defer { upstream.server.kill() }
        let (plug, folder) = try await Self.plug(upstream.server.port)
        #expect(Self.isAccepted(try await Self.send(Self.log(1), to: await plug.address)))
        var bodies: [[UInt8]] = []
        for await request in upstream.requests {
            bodies.append(request.body)
            if bodies.count == 2 { break }
        }
        #expect(bodies[0] == bodies[1])
        #expect(times.withLock { $0[1] - $0[0] } >= .seconds(2))
        try await plug.unplug()
        withExtendedLifetime(folder) {}
    }

    @Test func `sends the traces to an upstream that takes no logs`() async throws {
        let upstream = try Upstream { .status($0.path == "/v1/logs" ? 404 : 200) }
        defer { upstream.server.kill() }
        let (plug, folder) = try await Self.plug(upstream.server.port)
        #expect(Self.isAccepted(try await Self.send(Self.log(1), to: await plug.address)))
        for await request in upstream.requests where request.path == "/v1/logs" { break }
        let traces = #"{"resourceSpans":[]}"#
        for _ in 1...20 {
            #expect(Self.isAccepted(try await Self.send(traces, to: await plug.address, path: "/v1/traces")))
        }
        var taken = 0
        for await request in upstream.requests where request.path == "/v1/traces" {
            taken += 1
            if taken == 20 { break }
        }
        try await eventually("20 requests are noted as sent, and the logs as failed") {
            let state = try await Self.state(await plug.address)
            return state["sent"] as? Int == 20 && state["failure"] as? String == "logs: HTTP 404"
        }
        #expect(try await Self.state(await plug.address)["waiting"] as? Int == 1)
        try await plug.unplug()
        withExtendedLifetime(folder) {}
    }

    @Test func `drops and counts the oldest requests of a full queue`() async throws {
        let upstream = try Upstream { _ in .nothing }
        defer { upstream.server.kill() }
        let (plug, folder) = try await Self.plug(upstream.server.port, bytes: 1_000)
        for time in 1...20 { #expect(Self.isAccepted(try await Self.send(Self.log(time), to: await plug.address))) }
        let state = try await Self.state(await plug.address)
        let waiting = try #require(state["waiting"] as? Int)
        #expect(try #require(state["waitingBytes"] as? Int) <= 1_000)
        #expect(try #require(state["droppedFull"] as? Int) == 20 - waiting)
        #expect(waiting > 5)
        try await plug.unplug()
        withExtendedLifetime(folder) {}
    }

    @Test func `drops and counts a request that the upstream refuses, and goes on`() async throws {
        let refused = Self.log(1)
        let upstream = try Upstream { .status(String(decoding: $0.body, as: UTF8.self) == refused ? 400 : 200) }
        defer { upstream.server.kill() }
        let (plug, folder) = try await Self.plug(upstream.server.port)
        #expect(Self.isAccepted(try await Self.send(refused, to: await plug.address)))
        #expect(Self.isAccepted(try await Self.send(Self.log(2), to: await plug.address)))
        try await eventually("no request waits") {
            try await Self.state(await plug.address)["waiting"] as? Int == 0
        }
        let state = try await Self.state(await plug.address)
        #expect(state["droppedRefused"] as? Int == 1)
        #expect(state["sent"] as? Int == 1)
        try await plug.unplug()
        withExtendedLifetime(folder) {}
    }
}
