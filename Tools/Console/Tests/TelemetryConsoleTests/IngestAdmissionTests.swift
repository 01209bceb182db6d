import AstrolabeGzip
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ServerSupport
import Testing

@testable import TelemetryConsole

/// Tests of requests that make much work, which wait in a line of their own.
@Suite(.timeLimit(.minutes(5)))
struct IngestAdmissionTests {
    @Test
    func `a place that becomes free goes to the sender with the fewest running and the least work`() {
        var line = IngestQueue(limits: .init(running: 2))
        #expect(line.enter("bomb") == .runs)
        #expect(line.enter("bomb") == .runs)
        #expect(line.enter("bomb") == .waits(ticket: 0))
        #expect(line.enter("collector") == .waits(ticket: 1))
        #expect(line.enter("collector") == .waits(ticket: 2))
        #expect(line.leave("bomb", after: .seconds(9)) == 1, "the collector has none running")
        #expect(line.leave("bomb", after: .seconds(9)) == 0, "the bomb has none running, and the collector one")
        #expect(line.enter("bomb") == .waits(ticket: 3))
        #expect(line.leave("bomb", after: .seconds(9)) == 3, "the collector still has one running")
        #expect(line.leave("collector", after: .seconds(1)) == 2)
        #expect(line.leave("collector", after: .seconds(1)) == nil)
        #expect(line.leave("bomb", after: .seconds(9)) == nil)
        #expect(line.enter("bomb") == .runs)
    }

    @Test
    func `with as many running, the sender goes first that used the least time, and a new one has no advantage`() {
        var line = IngestQueue(limits: .init(running: 1))
        #expect(line.enter("a") == .runs)
        #expect(line.enter("b") == .waits(ticket: 0))
        #expect(line.enter("a") == .waits(ticket: 1))
        #expect(line.leave("a", after: .seconds(2)) == 0)
        #expect(line.enter("b") == .waits(ticket: 2))
        #expect(line.leave("b", after: .seconds(3)) == 1, "a has used 2 s, and b 3 s")
        #expect(line.enter("c") == .waits(ticket: 3))
        #expect(line.leave("a", after: .seconds(5)) == 3, "a is gone, and c came with what the least had")
        #expect(line.leave("c", after: .seconds(5)) == 2)
    }

    @Test
    func `one sender does not fill the line, and one that gives up leaves it`() {
        var line = IngestQueue(limits: .init(running: 1, waiting: 3, waitingOfSender: 2))
        #expect(line.enter("bomb") == .runs)
        #expect(line.enter("bomb") == .waits(ticket: 0))
        #expect(line.enter("bomb") == .waits(ticket: 1))
        #expect(line.enter("bomb") == .refused)
        #expect(line.enter("collector") == .waits(ticket: 2))
        #expect(line.enter("phone") == .refused)
        #expect(line.giveUp(0) == true)
        #expect(line.giveUp(0) == false)
        #expect(line.waitingCount == 2)
        #expect(line.enter("bomb") == .waits(ticket: 3))
    }

    @Test
    func `one sender has a quarter of the places of light requests`() {
        var places = IngestPlaces(8)
        #expect(places.enter("a") == .runs)
        #expect(places.enter("a") == .runs)
        #expect(places.enter("a") == .waits)
        for sender in ["b", "c", "d"] { for _ in 0..<2 { #expect(places.enter(sender) == .runs) } }
        #expect(places.enter("e") == .refused)
        places.leave("a")
        #expect(places.enter("a") == .runs)
    }

    @Test
    func `a part of the memory is for small requests`() {
        let allowance = MemoryAllowance(bytes: 100, reserve: 20, smallBytes: 10)
        let large = allowance.hold()
        #expect(large.grow(by: 80))
        let other = allowance.hold()
        #expect(!other.grow(by: 11))
        #expect(other.grow(by: 10))
        #expect(!other.grow(by: 1))
        withExtendedLifetime((large, other)) {}
    }

    /// Runs `body` while one heavy request runs and no other may.
    private static func withFullHouse(
        _ limits: IngestQueue.Limits = IngestQueue.Limits(running: 1, timeout: .seconds(3_600)),
        _ body: @escaping @Sendable (ConsoleUnderTest, _ end: @escaping @Sendable () -> Void) async throws -> Void,
    ) async throws {
        try await ConsoleUnderTest.run {
            $0.limits.heavyRequests = limits
        } _: { console in
            let turns = console.console.receiver.turns
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let running = Task {
                try await turns.take("neighbour") { () async throws(IngestFailure) -> Void in
                    start.finish()
                    for await _ in ends {}
                }
            }
            for await _ in starts {}
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(console) { end.finish() })
            } catch {
                result = .failure(error)
            }
            end.finish()
            try await running.value
            try result.get()
        }
    }

    /// A body of OTLP/JSON with the smallest records that are distinct.
    private static func logs(_ count: Int) -> [UInt8] {
        let records = (1...count).map { #"{"timeUnixNano":"\#($0)"}"# }.joined(separator: ",")
        return Array(#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(records)]}]}]}"#.utf8)
    }

    private static func send(_ body: [UInt8], to console: ConsoleUnderTest, isGzip: Bool) async throws -> Int {
        var headers = ["Content-Type": "application/json"]
        if isGzip { headers["Content-Encoding"] = "gzip" }
        return try await HTTP.request("POST", "\(console.address)/v1/logs", headers: headers, body: body).status
    }

    @Test
    func `what makes much work waits, however small it arrives, and light requests do not wait for it`() async throws {
        let many = Self.logs(IngestQueue.lightRecords + 1)
        let padded = Self.logs(1) + Array(repeating: UInt8(ascii: " "), count: IngestQueue.lightBytes)
        #expect(many.count < IngestQueue.lightBytes)
        let heavy: [(body: [UInt8], isGzip: Bool)] = [
            (many, false), (try GzipCoder.compress(many), true), (padded, false),
            (try GzipCoder.compress(padded), true),
        ]
        #expect(heavy[3].body.count < 1_000)
        try await Self.withFullHouse { console, end in
            let turns = console.console.receiver.turns
            let responses = heavy.map { body, isGzip in
                Task { try await Self.send(body, to: console, isGzip: isGzip) }
            }
            try await eventually("the heavy requests wait") { await turns.waitingCount == heavy.count }
            for number in 0..<20 { try await console.send(ShopVisit.purchase(number: number)) }
            #expect(try await HTTP.request("GET", console.address + "/api/v1/status").status == 200)
            #expect(await turns.waitingCount == heavy.count)
            end()
            for response in responses { #expect(try await response.value == 200) }
        }
    }

    @Test
    func `a heavy request that waits too long gets 503 and may come again`() async throws {
        let body = Self.logs(IngestQueue.lightRecords + 1)
        try await Self.withFullHouse(IngestQueue.Limits(running: 1, timeout: .zero)) { console, end in
            let response = try await HTTP.request(
                "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/json"], body: body)
            #expect(response.status == 503)
            #expect(response[header: "Retry-After"] == "5")
            #expect(response.text.contains("send fewer records per request"))
            end()
        }
        try await ConsoleUnderTest.run { console async throws in
            #expect(try await Self.send(body, to: console, isGzip: false) == 200)
            #expect(try await console.console.store.statistics().received == IngestQueue.lightRecords + 1)
        }
    }
}
