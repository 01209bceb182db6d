import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

private let second: UInt64 = 1_000_000_000

/// A phone in virtual time, whose app can be launched, suspended and ended, and whose clock can be set.
///
/// The monotonic clock includes sleep, and a reboot resets it.
final class PhoneInTime: Sendable {
    private struct Clocks {
        var wall: UInt64
        var steady: UInt64
        var boots = 1
    }

    /// A record as the server got it.
    struct Received: Equatable, CustomStringConvertible {
        var name: String
        /// Seconds since the beginning, by the phone's wall clock.
        var time: Int
        var session: String?
        var attributes: Attributes
        var description: String { "\(name) at \(time) in \(session ?? "none")" }

        static func == (left: Received, right: Received) -> Bool {
            left.name == right.name && left.time == right.time && left.session == right.session
        }
    }

    static let start: UInt64 = 1_800_000_000 * second
    private let clocks = Locked(Clocks(wall: start, steady: 3_600 * second))
    private let folder = temporaryFolder()
    private let received = Locked<[Received]>([])
    private let running = Locked<(Telemetry, SimulatedDevice)?>(nil)
    private let change: @Sendable (inout TelemetryConfiguration) -> Void

    init(_ change: @escaping @Sendable (inout TelemetryConfiguration) -> Void = { _ in }) {
        self.change = change
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var telemetry: Telemetry { running.withLock { $0?.0 } ?? .disabled }
    var isRunning: Bool { running.withLock { $0 != nil } }
    var device: SimulatedDevice { running.withLock { $0?.1 } ?? SimulatedDevice() }
    var records: [Received] { received.withLock { $0 } }
    func records(named name: String) -> [Received] { records.filter { $0.name == name } }

    func pass(_ seconds: Int) {
        clocks.withLock {
            $0.wall += UInt64(seconds) * second
            $0.steady += UInt64(seconds) * second
        }
    }

    func setClock(by seconds: Int) {
        clocks.withLock { $0.wall = UInt64(Int64($0.wall) + Int64(seconds) * Int64(second)) }
    }

    func launch(_ lifecycle: LifecycleState = .active) {
        let device = SimulatedDevice(Conditions(network: .wifi, lifecycle: lifecycle))
        var configuration = TelemetryConfiguration(serviceName: "week")
        configuration.storageDirectory = folder
        configuration.conditions = device
        configuration.endpoint?.isCompressed = false
        configuration.sampling = .everything
        configuration.health.isEnabled = false
        change(&configuration)
        var time = DeliveryTime(
            now: { [clocks] in Double(clocks.withLock { $0.steady }) / 1e9 },
            wall: { [clocks] in clocks.withLock { $0.wall } },
            sleep: { _ in
                let (never, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
                continuation.finish()
                try Task.checkCancellation()
            },
        )
        // A sample handles changes of conditions on its own thread, later than the test applies them.
        time.sleepUntilSample = { _ in throw CancellationError() }
        time.boot = { [clocks] in "boot-\(clocks.withLock { $0.boots })" }
        let telemetry = Telemetry.start(configuration, transport: self, time: time)
        running.withLock { $0 = (telemetry, device) }
    }

    /// The system ends the process without a word; what it recorded is delivered by then.
    func kill() async {
        await telemetry.flush()
        await telemetry.shutdown(timeout: .zero)
        running.withLock { $0 = nil }
    }

    func reboot() async {
        await kill()
        clocks.withLock {
            $0.steady = 20 * second
            $0.boots += 1
        }
    }

    /// An event and a span, so that each is seen to belong to its session.
    func use(_ name: String) {
        telemetry.logger("week").emit(name)
        telemetry.tracer("week").withSpan(name) { _ in }
    }
}

extension PhoneInTime: OTLPTransport {
    func send(_ request: OTLPRequest) async -> SendResult {
        var new: [Received] = []
        func add(_ name: String, _ time: UInt64, _ attributes: Attributes) {
            let seconds = Int((Int64(time) - Int64(Self.start)) / Int64(second))
            new.append(
                Received(
                    name: name, time: seconds, session: attributes["session.id"]?.stringValue, attributes: attributes)
            )
        }
        if let groups = try? OTLPDecoder.logs(protobuf: request.body), request.url.path.hasSuffix("logs") {
            for record in groups.flatMap({ $0.scopes.flatMap(\.records) }) {
                add(record.eventName, record.timeUnixNano, record.attributes)
            }
        }
        if let groups = try? OTLPDecoder.traces(protobuf: request.body), request.url.path.hasSuffix("traces") {
            for span in groups.flatMap({ $0.scopes.flatMap(\.records) }) {
                let duration = Double(span.endTimeUnixNano &- span.startTimeUnixNano) / 1e9
                let attributes = span.attributes.merging(["test.duration": duration])
                add("span " + span.name, span.startTimeUnixNano, attributes)
            }
        }
        received.withLock { $0 += new }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

/// One thing that happens in the week.
private enum Step {
    case launch(LifecycleState)
    case become(LifecycleState)
    /// The app records an event and a span.
    case use(String)
    case tap
    case wait(Int)
    /// Time passes in which nothing of the app runs.
    case suspend(Int)
    case setClock(Int)
    case kill
    case reboot
}

@Suite(.timeLimit(.minutes(5))) struct `A week of sessions` {
    private static let minute = 60
    private static let hour = 3_600
    private static let day = 86_400

    /// A step and the announcements that follow, with seconds since the beginning by the phone's clock.
    private typealias Row = (step: Step, announced: [String])

    private static let monday: [Row] = [
        // A first look, a tap later, ten minutes away, back.
        (.launch(.active), ["1 starts at 0"]), (.use("monday"), []),
        (.wait(5 * minute), []), (.tap, []), (.become(.background), []),
        (.wait(10 * minute), []), (.become(.active), ["1 resumes at 900"]), (.use("back"), []),
        // The screen is read for forty minutes without a touch.
        (.wait(40 * minute), []), (.become(.background), ["1 ends at 3300 after 3300"]),
        (.wait(5 * minute), []), (.become(.active), ["2 starts at 3600"]), (.use("after reading"), []),
        (.become(.background), []),
    ]

    private static let thursday: [Row] = [
        (.suspend(3 * day), []), (.become(.active), ["2 ends at 5400 after 1800", "3 starts at 262800"]),
        (.use("thursday"), []), (.become(.background), []), (.kill, []),
        // A push in the night launches the app, and a refresh does; nobody looks.
        (.wait(6 * hour), []), (.launch(.background), ["3 ends at 264600 after 1800"]), (.use("push"), []),
        (.kill, []),
        (.wait(2 * hour), []), (.launch(.background), []), (.use("refresh"), []),
        // It is opened while that process lives.
        (.wait(60), []), (.become(.active), ["4 starts at 291660"]), (.use("opened"), []),
    ]

    /// A tap every 20 minutes; the limit of four hours passes with the twelfth.
    private static let friday: [Row] = (1...13).flatMap { number -> [Row] in
        let announced = number == 12 ? ["4 ends at 306060 after 14400", "5 starts at 306060"] : []
        return [(.wait(20 * minute), announced), (.tap, [])]
    }

    private static let weekend: [Row] = [
        (.use("evening"), []), (.become(.background), []),
        // The clock is set back by two days while the app is away for a minute, and forward again.
        (.setClock(-2 * day), []), (.wait(60), []), (.become(.active), ["5 resumes at 134520"]),
        (.use("set back"), []),
        (.become(.background), []), (.setClock(2 * day), []), (.wait(60), []),
        (.become(.active), ["5 resumes at 307380"]), (.use("set right"), []),
        (.become(.background), []), (.wait(60), []),
        // A reboot in the session, and one after it.
        (.reboot, []), (.wait(120), []), (.launch(.launching), []), (.use("launching"), []),
        (.become(.active), []), (.use("rebooted"), []), (.become(.background), []),
        (.reboot, []), (.wait(day), []), (.launch(.launching), []), (.use("early"), []),
        (.become(.active), ["5 ends at 309360 after 3300", "6 starts at 393960"]), (.use("next day"), []),
    ]

    @Test func `sessions begin and end as the limits say, to the second, and each record has the current one`()
        async throws
    {
        let steps = Self.monday + Self.thursday + Self.friday + Self.weekend
        let phone = PhoneInTime()
        var ids: [String] = []
        var heard = 0
        var current: String?
        /// The sessions that the marks should have, by name.
        var marks: [String: String?] = [:]
        /// The sessions that were current since the last records came, and the number of records so far.
        var possible: Set<String?> = []
        var arrived = 0
        for (index, (step, expected)) in steps.enumerated() {
            if phone.isRunning { possible.insert(phone.telemetry.session.current?.id) }
            perform(step, on: phone)
            if phone.isRunning { possible.insert(phone.telemetry.session.current?.id) }
            switch step {
            case .kill: await phone.kill()
            case .reboot: await phone.reboot()
            case .suspend: break
            case .use(let name): marks.updateValue(phone.telemetry.session.current?.id, forKey: name)
            default: await phone.telemetry.flush()
            }
            // A flush begins a new session if the time for one has passed.
            if phone.isRunning { possible.insert(phone.telemetry.session.current?.id) }
            let new = phone.records.dropFirst(arrived)
            arrived += new.count
            for record in new where record.name != "session.end" {
                #expect(possible.contains(record.session), "step \(index): \(step): \(record)")
            }
            if !new.isEmpty { possible = [] }
            let told = phone.records.filter { $0.name.hasPrefix("session.") }.dropFirst(heard)
            heard += told.count
            let lines = told.map { record -> String in
                let id = record.session ?? "none"
                if !ids.contains(id) { ids.append(id) }
                let number = (ids.firstIndex(of: id) ?? 0) + 1
                switch record.name {
                case "session.start":
                    current = id
                    return "\(number) starts at \(record.time)"
                case "session.end":
                    let duration = record.attributes["session_duration_seconds"]?.doubleValue ?? -1
                    return "\(number) ends at \(record.time) after \(Int(duration))"
                default: return "\(number) resumes at \(record.time)"
                }
            }
            #expect(Array(lines) == expected, "step \(index): \(step)")
        }
        #expect(current == phone.telemetry.session.current?.id)
        await phone.kill()
        #expect(arrived > 3 * marks.count)
        for (name, session) in marks {
            for record in phone.records where record.name == name || record.name == "span " + name {
                #expect(record.session == session, "\(record)")
            }
            #expect(phone.records.count { $0.name.hasSuffix(name) } >= 2)
        }
        // What a launch in the background records belongs to no session; all else to the one of its row.
        for name in ["push", "refresh"] { #expect(marks[name] == .some(nil)) }
        let numbers = [
            "monday": 1, "back": 1, "after reading": 2, "thursday": 3, "opened": 4, "evening": 5, "set back": 5,
            "set right": 5, "launching": 5, "rebooted": 5, "early": 6, "next day": 6,
        ]
        try #require(ids.count == 6)
        for (name, number) in numbers { #expect(marks[name] == .some(ids[number - 1]), "\(name)") }
    }

    private func perform(_ step: Step, on phone: PhoneInTime) {
        switch step {
        case .launch(let state): phone.launch(state)
        case .become(let state): phone.device.apply(ConditionsUpdate(lifecycle: state))
        case .use(let name): phone.use(name)
        case .tap: phone.telemetry.session.recordUserActivity()
        case .wait(let seconds), .suspend(let seconds): phone.pass(seconds)
        case .setClock(let seconds): phone.setClock(by: seconds)
        case .kill, .reboot: break
        }
    }

    /// The second zone applies from a quarter past midnight on. There it is another day, for two of them.
    @Test(
        .serialized,
        arguments: [
            ("UTC", "UTC"), ("Pacific/Auckland", "America/Los_Angeles"), ("America/Los_Angeles", "Pacific/Auckland"),
        ],
    )
    func `midnight and the time zone end no session`(first: String, then: String) async throws {
        // Of the whole process. The SDK must not use it, so that other tests do not notice.
        let before = NSTimeZone.default
        defer { NSTimeZone.default = before }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: first))
        let start = Date(timeIntervalSince1970: Double(PhoneInTime.start / second))
        let evening = try #require(
            calendar.nextDate(after: start, matching: DateComponents(hour: 22), matchingPolicy: .nextTime))
        let midnight = try #require(
            calendar.nextDate(after: evening, matching: DateComponents(hour: 0), matchingPolicy: .nextTime))
        let phone = PhoneInTime()
        phone.setClock(by: Int(evening.timeIntervalSince(start)))
        NSTimeZone.default = calendar.timeZone
        phone.launch()
        let session = try #require(phone.telemetry.session.current?.id)
        // From the evening over midnight, with a tap every quarter of an hour.
        var now = evening
        for _ in 0..<15 {
            phone.pass(15 * 60)
            now += 15 * 60
            if now > midnight { NSTimeZone.default = try #require(TimeZone(identifier: then)) }
            phone.telemetry.session.recordUserActivity()
        }
        #expect(now > midnight)
        #expect(phone.telemetry.session.current?.id == session)
        await phone.kill()
        #expect(phone.records(named: "session.start").map(\.session) == [session])
        #expect(phone.records(named: "session.end").isEmpty)
    }
}
