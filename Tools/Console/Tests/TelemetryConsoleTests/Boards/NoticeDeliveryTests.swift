import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryConsole

/// Tests of notices over real records, a real file, a real receiver, and a clock that the test sets.
@Suite(.timeLimit(.minutes(3)))
struct NoticeDeliveryTests {
    /// Red is painted at 0:00, blue at 3:00, green at 6:00 and yellow at 21:00, and each fires for five minutes. The
    /// receiver does not respond from 1:00 to 21:00. The console is off from 9:30 to 15:00, and green ends meanwhile.
    @Test
    func `a receiver that is down for 20 minutes gets each notice in order, over a stop of the console`() async throws {
        let scene = try PaintScene(down: 60..<1_260, paint: [0: "red", 180: "blue", 360: "green", 1_260: "yellow"])
        defer { scene.remove() }
        try await scene.run(from: 0, through: 570)
        try await scene.run(from: 900, through: 1_590)
        #expect(
            scene.receiver.taken == [
                "0:00 fired red, since 0:00",
                "24:30 fired blue, since 3:00",
                "24:30 recovered red, since 5:00",
                "24:30 fired green, since 6:00",
                "24:30 recovered blue, since 8:00",
                "24:30 recovered green, since 15:00",
                "24:30 fired yellow, since 21:00",
                "26:00 recovered yellow, since 26:00",
            ])
        // After 1, 2, 4 … 128 and 256 seconds, looked at every 30 seconds.
        let attempts = ["3:00", "3:30", "4:00", "4:30", "5:00", "5:30", "6:30", "8:00", "15:00", "19:30"]
        #expect(scene.receiver.refused == attempts)
        #expect(
            scene.shown == [
                "0:00 delivered", "3:00 failed, 1 waiting", "5:00 failed, 2 waiting", "6:00 failed, 3 waiting",
                "8:00 failed, 4 waiting", "15:00 failed, 5 waiting", "21:00 failed, 6 waiting", "24:30 delivered",
            ])
        #expect(Set(scene.receiver.incidents).count == 4)
        let file = try String(contentsOfFile: scene.configuration.noticesPath, encoding: .utf8)
        #expect(file.contains("\"notices\":[]"))
        #expect(file.contains("\"incidents\":[]"))
    }

    @Test func `a file of notices that cannot be read is moved away, and the console begins without it`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("notices.json").path
        for content in ["{\"version\":1,", #"{"version":2,"incidents":[]}"#] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            let log = InMemoryLogHandler()
            let queue = NoticeQueue(path: path, logger: Logger(label: "test") { _ in log })
            #expect(await queue.book.notices == [])
            #expect(try String(contentsOfFile: path + ".unreadable", encoding: .utf8) == content)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(log.entries.count == 1)
        }
    }

    /// A disk that is full may be what an alert is about.
    @Test func `a notice that cannot be stored is sent, and stored later`() async throws {
        let scene = try PaintScene(down: 30..<60, paint: [0: "red", 30: "blue"])
        defer { scene.remove() }
        // A folder is in the way of the file.
        let obstacle = scene.configuration.noticesPath + ".next"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        try await scene.run(from: 0, through: 30) { second in
            guard second == 30 else { return }
            #expect(scene.receiver.taken == ["0:00 fired red, since 0:00"])
            #expect(!FileManager.default.fileExists(atPath: scene.configuration.noticesPath))
            try FileManager.default.removeItem(atPath: obstacle)
        }
        let stored = try StateFile<NoticeBook>(path: scene.configuration.noticesPath).read()
        #expect(stored.incidents.map(\.subject.group) == ["red", "blue"])
        #expect(stored.notices.map(\.subject.group) == ["blue"])
    }
}

/// A console with an alert by colour, which fires for five minutes after something was painted, and a receiver of it.
private final class PaintScene: Sendable {
    let receiver: PaintReceiver
    let configuration: ConsoleConfiguration
    private let folder: URL
    private let clock: Locked<UInt64>
    private let down: Range<Int>
    private let paint: [Int: String]
    private let words = Locked<[String]>([])

    /// The page's words for the alert's webhook, at the times at which they changed.
    var shown: [String] { words.withLock { $0 } }

    /// - Parameters:
    ///   - down: The seconds during which the receiver does not respond.
    ///   - paint: The colours by second.
    init(down: Range<Int>, paint: [Int: String]) throws {
        let clock = Locked(PaintReceiver.start)
        let receiver = try PaintReceiver { clock.withLock { $0 } }
        let folder = try Scratch.folder()
        var configuration = ConsoleUnderTest.configuration(in: folder)
        configuration.store.now = { clock.withLock { $0 } }
        configuration.webhookHosts = ["127.0.0.1:\(receiver.port)"]
        try FileManager.default.createDirectory(at: configuration.boardsFolder, withIntermediateDirectories: true)
        let board = """
            title: Paint
            alerts:
              - name: By colour
                query: count of events by colour where name = "paint"
                above: 0
                window: 5m
                every: 10s
                webhook: http://127.0.0.1:\(receiver.port)/hook

            """
        try Data(board.utf8).write(to: configuration.boardsFolder.appendingPathComponent("paint.yaml"))
        self.clock = clock
        self.receiver = receiver
        self.folder = folder
        self.configuration = configuration
        self.down = down
        self.paint = paint
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs a console, which evaluates and sends every 30 seconds of the clock.
    ///
    /// - Parameter before: Called with each of these seconds, before the evaluation.
    func run(from first: Int, through last: Int, before: (Int) throws -> Void = { _ in }) async throws {
        let console = try await ConsoleServer(configuration)
        for second in stride(from: first, through: last, by: 30) {
            let now = PaintReceiver.start + UInt64(second) * 1_000_000_000
            try before(second)
            clock.withLock { $0 = now }
            receiver.isDown.withLock { $0 = down.contains(second) }
            if let colour = paint[second] { try await console.store.ingest(logs: Self.painted(colour, at: now)) }
            _ = await console.alerts.evaluate(at: Int64(now))
            await console.notices.send()
            await look(console, at: now)
        }
        await console.store.close()
    }

    private func look(_ console: ConsoleServer, at now: UInt64) async {
        let alert = await console.alerts.snapshot().first { $0.board == "paint" }
        guard let delivery = alert?.delivery else { return }
        let state = delivery.result.rawValue + (delivery.waiting > 0 ? ", \(delivery.waiting) waiting" : "")
        words.withLock { words in
            if words.last?.hasSuffix(" " + state) != true { words.append("\(PaintReceiver.minutes(now)) \(state)") }
        }
    }

    private static func painted(_ colour: String, at time: UInt64) -> [ResourceGroup<LogRecordData>] {
        let event = LogRecordData(timeUnixNano: time, eventName: "paint", attributes: ["colour": colour])
        let scope = ScopeGroup(scope: InstrumentationScope(name: "test"), records: [event])
        return [ResourceGroup(resource: Resource(attributes: ["service.name": "shop"]), scopes: [scope])]
    }
}

/// A receiver of webhooks that can be down: then it closes connections without a response.
private final class PaintReceiver: Sendable {
    private struct Notes {
        var taken: [String] = []
        var incidents: [String] = []
        var refused: [String] = []
    }

    /// The test's begin, in nanoseconds since 1970.
    static let start: UInt64 = 1_790_000_600_000_000_000

    let isDown: Locked<Bool>
    private let notes: Locked<Notes>
    private let server: RawServer

    var port: Int { server.port }
    /// The notices in order, each with the time at which it was taken, and since when it is so.
    var taken: [String] { notes.withLock { $0.taken } }
    var incidents: [String] { notes.withLock { $0.incidents } }
    /// The times of the attempts without a response.
    var refused: [String] { notes.withLock { $0.refused } }

    init(now: @escaping @Sendable () -> UInt64) throws {
        let isDown = Locked(false)
        let notes = Locked(Notes())
        server = try RawServer { request, connection in
            let time = PaintReceiver.minutes(now())
            guard !isDown.withLock({ $0 }) else { return notes.withLock { $0.refused.append(time) } }
            guard let message = try? JSONResponse(request.bytes) else { return connection.answer(400, "") }
            let since = PaintReceiver.minutes(UInt64(message["sinceUs"].int ?? 0) * 1_000)
            let words = "\(time) \(message["state"].text ?? "") \(message["group"].text ?? ""), since \(since)"
            notes.withLock { notes in
                notes.taken.append(words)
                notes.incidents.append(message["incident"].text ?? "")
            }
            connection.answer(200, "ok", headers: "")
        }
        self.isDown = isDown
        self.notes = notes
    }

    /// The time since the start in minutes and seconds, such as `24:30`.
    static func minutes(_ time: UInt64) -> String {
        let seconds = Int(Int64(time) - Int64(start)) / 1_000_000_000
        return String(format: "%d:%02d", seconds / 60, seconds % 60)
    }
}
