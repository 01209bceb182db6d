import AstrolabePlatform
import DeviceLink
package import Foundation
import ViewTree

/// Runs a scenario on a simulated phone.
package struct ScenarioRunner: Sendable {
    /// Sends a JSON object with flags and their values to the app's backend.
    package typealias SetFlags = @Sendable (Data) async throws -> Void

    let phone: PhoneSimulator
    private let evidence: any ScenarioEvidence
    private let gate: CollectorGate?
    private let setFlags: SetFlags?
    private let progress = Locked(Progress())

    private struct Progress {
        var hours = HourlyReport()
        /// The phone's requests at the last `collector` step.
        var requestsBefore = 0
        /// The uptime at the last `collector` step.
        var uptimeBefore = 0.0
        var account: Account?
        var waits: WaitTable?
    }

    /// - Parameters:
    ///   - gate: The server before the collector; `nil` if the scenarios need none.
    ///   - setFlags: `nil` if the app has no backend.
    package init(
        phone: PhoneSimulator, evidence: any ScenarioEvidence, gate: CollectorGate? = nil, setFlags: SetFlags? = nil,
    ) {
        self.phone = phone
        self.evidence = evidence
        self.gate = gate
        self.setFlags = setFlags
    }

    /// The hours of virtual time so far.
    package var hours: HourlyReport { progress.withLock { $0.hours } }

    /// The last result of `accounted`; `nil` if the scenario has no such step.
    package var account: Account? { progress.withLock { $0.account } }

    /// The time that records waited until `accounted`; `nil` if the scenario has no such step.
    package var waits: WaitTable? { progress.withLock { $0.waits } }

    /// The failure of a step: what it waited for, and the state of the app at its timeout.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let line: Int
        package let message: String

        package var description: String { "line \(line): \(message)" }
    }

    /// Runs the steps in order and waits for each expectation.
    ///
    /// - Parameter report: Called after each step that passed, with its duration.
    /// - Throws: ``Failure`` for the first step that fails.
    package func play(
        _ scenario: Scenario, report: @Sendable (Scenario.Step, Duration) -> Void = { _, _ in },
    ) async throws {
        do {
            if scenario.isVirtual { await phone.beginVirtualTime() }
            try await phone.apply(scenario.phone)
        } catch {
            throw Failure(line: 0, message: "\(error)")
        }
        for step in scenario.steps {
            let clock = ContinuousClock()
            let start = clock.now
            do {
                for _ in 0..<step.times { try await run(step) }
            } catch let error as PhoneError {
                throw Failure(line: step.line, message: "\(error)")
            }
            report(step, clock.now - start)
        }
    }

    /// Ends the last hour, if time has passed in it.
    private func endHour() async {
        let (ledger, requests) = (await phone.status?.ledger ?? AppStatus.Ledger(), await phone.requests)
        progress.withLock { $0.hours.endHour(ledger, requests: requests) }
    }

    private func run(_ step: Scenario.Step) async throws {
        if let note = step.action.note { progress.withLock { $0.hours.note(note) } }
        switch step.action {
        case .perform(let action) where [.launch, .reinstall].contains(action):
            try await phone.perform(action)
            try await waitUntilActive(step)
        case .perform(.kill):
            try await phone.perform(.kill)
            try await wait(step, "the app to end") { $0.phase == .ended }
        case .perform(let action): try await phone.perform(action)
        case .launch(let kind):
            try await phone.perform(.launch)
            try await wait(step, "the launch to end by \(kind.word)") { $0.end?.kind == kind }
        case .open(let url):
            try await phone.open(url)
            try await waitUntilActive(step)
        case .set(let update): try await phone.apply(update)
        case .touch(let action, let control, let value):
            try await touch(step, action.rawValue, control) { $0.event(action, on: control, text: value) }
        case .drag(let control, let x, let y): try await drag(step, control, x, y)
        case .swipe(let row, let title):
            let action = "a swipe" + (title.map { " to \"\($0)\"" } ?? "")
            try await touch(step, action, ControlName(row)) { $0.swipe(title, row: row) }
        case .front(let action):
            try await touch(step, action.rawValue, nil) { screen in
                let view = screen.root.all { $0.actions.contains(action) }.last
                return view.map { ViewEvent(node: $0.id, action: action) }
            }
        case .choose(let title, let control):
            try await touch(step, "the choice of \"\(title)\"", control) { $0.choose(title, in: control) }
        case .screen(let expectation):
            let name = expectation.isAbsent ? nil : expectation.identifier
            try await wait(step, "\(expectation)", for: name) { expectation.holds(for: $0.screen) }
        case .ended(let kind): try await wait(step, "the app to end by \(kind.word)") { $0.end?.kind == kind }
        case .status(let expectations):
            try await wait(step, "\(expectations.map(\.description).joined(separator: ", "))") { snapshot in
                snapshot.status.map { status in expectations.allSatisfy { $0.holds(for: status) } } ?? false
            }
        case .telemetry(let expectation): try await wait(step, for: expectation)
        case .promoted(let expectation): try await wait(step, for: expectation)
        case .advance(let seconds): try await advance(seconds)
        case .clock(let seconds): try await phone.setWallClock(by: seconds)
        case .collector(let update):
            guard let gate else { throw Failure(line: step.line, message: "there is no collector to change") }
            gate.set(update.response)
            await phone.setCollector(responseDelay: update.delay, bytesPerSecond: update.bytesPerSecond)
            let (requests, uptime) = (await phone.requests, await phone.time?.uptime ?? 0)
            progress.withLock { ($0.requestsBefore, $0.uptimeBefore) = (requests, uptime) }
        case .requests(let expectation):
            let count = await phone.requests - progress.withLock { $0.requestsBefore }
            if !expectation.holds(for: Double(count)) {
                throw Failure(line: step.line, message: "expected \(expectation) requests; there were \(count)")
            }
        case .waited(let expectation):
            let waits = await waits(witnesses(), from: progress.withLock { $0.uptimeBefore })
            guard let longest = waits.longest, expectation.holds(for: longest.seconds) else {
                throw Failure(line: step.line, message: "expected waits of \(expectation) s\n\(waits)")
            }
        case .accounted: try await account(step)
        case .backend(let flags):
            guard let setFlags else { throw Failure(line: step.line, message: "the app has no backend") }
            do {
                try await setFlags(try JSONEncoder().encode(flags))
            } catch {
                throw Failure(line: step.line, message: "the backend did not take the flags: \(error)")
            }
        }
    }

    /// Lets time pass minute by minute, so that what comes next meets the app between any two of its deadlines.
    private func advance(_ seconds: Double) async throws {
        var left = seconds
        while left > 0 {
            try Task.checkCancellation()
            let uptime = await phone.time?.uptime ?? 0
            let untilMinute = 60 - uptime.truncatingRemainder(dividingBy: 60)
            let slice = min(left, untilMinute)
            try await phone.pass(slice)
            left -= slice
            guard (uptime + slice).truncatingRemainder(dividingBy: 3_600) == 0 else { continue }
            await endHour()
        }
    }

    /// The records that the app has witnessed until now.
    private func witnesses() -> [NotedRecord] {
        NotedRecord.read((try? String(contentsOf: phone.configuration.witness, encoding: .utf8)) ?? "")
    }

    private func waits(_ witnesses: [NotedRecord], from start: Double) async -> WaitTable {
        WaitTable(witnesses, arrivals: gate?.arrivals ?? [], from: start, to: await phone.time?.uptime ?? 0)
    }

    /// Waits until the console shows every record of the app's witness, each once.
    private func account(_ step: Scenario.Step) async throws {
        if await phone.time.map({ $0.uptime.truncatingRemainder(dividingBy: 3_600) > 0 }) == true { await endHour() }
        let witnesses = witnesses()
        if witnesses.isEmpty { throw Failure(line: step.line, message: "the app has witnessed no record") }
        @Sendable func look() async throws -> Account {
            let account = Account(
                witnesses, shown: try await evidence.witnessNumbers(), arrivals: gate?.arrivals ?? [])
            progress.withLock { $0.account = account }
            return account
        }
        let isDone = try await received(step) { try await look().isGood }
        let waits = await waits(witnesses, from: 0)
        progress.withLock { $0.waits = waits }
        if !isDone { throw Failure(line: step.line, message: "\(try await look())") }
        let ledger = await phone.status?.ledger ?? AppStatus.Ledger()
        let others = ledger.dropped.filter { $0.key != "not admitted" }
        let doubts = account?.inDoubt ?? 0
        // A record that the app was killed in the middle of is counted as corrupt.
        if others.values.reduce(0, +) > doubts {
            throw Failure(line: step.line, message: "the SDK dropped records: \(others)")
        }
    }

    /// The state of the phone at one time, as expectations see it.
    struct Snapshot: Sendable {
        var phase: PhoneState.Phase
        var end: AppEnd?
        var screen: RenderedTree?
        var status: AppStatus?
    }

    func snapshot() async -> Snapshot {
        let state = await phone.state
        return Snapshot(
            phase: state.app.phase, end: state.app.end, screen: await phone.screen, status: await phone.status)
    }

    /// Sends the event that `find` returns, as soon as there is one.
    ///
    /// - Parameters:
    ///   - action: What the control does with the event, for the message of a failure.
    ///   - control: `nil` for the view in front.
    private func touch(
        _ step: Scenario.Step, _ action: String, _ control: ControlName?,
        find: @escaping @Sendable (RenderedTree) -> ViewEvent?,
    ) async throws {
        let name = control.map { "\($0)" } ?? "a view in front"
        let progress = Locked(Touch.notSent)
        let isDone = try await withTimeout(of: step) {
            // The screen can change between the snapshot and the touch, so a rejected touch is tried again.
            while await holds({ snapshot in snapshot.screen.flatMap { find($0) } != nil }) {
                guard let event = await snapshot().screen.flatMap({ find($0) }) else { continue }
                progress.withLock { if case .notSent = $0 { $0 = .noResponse } }
                guard let outcome = try await phone.touch(event) else { return !Task.isCancelled }
                if outcome == .handled { return true }
                progress.withLock { $0 = .rejected(outcome) }
            }
            return false
        }
        guard !isDone else { return }
        switch progress.withLock({ $0 }) {
        case .notSent: throw await failure(step, "\(name) to accept \(action)", nearTo: control?.name)
        case .noResponse: throw await failure(step, "the app's response to \(action) on \(name)")
        case .rejected(let outcome):
            throw Failure(line: step.line, message: "\(name) did not accept \(action): \(outcome)")
        }
    }

    private func waitUntilActive(_ step: Scenario.Step) async throws {
        let what = "the app to come to the foreground"
        try await wait(step, what) { $0.phase == .active || $0.phase == .ended }
        if await phone.state.app.phase == .ended {
            throw await failure(step, "expected \(what)", because: "the launch failed")
        }
    }

    /// Drags over a view, if the way is long enough for its gesture.
    private func drag(_ step: Scenario.Step, _ control: ControlName, _ x: Double, _ y: Double) async throws {
        let find: @Sendable (RenderedTree) -> ViewEvent? = { $0.event(.drag, on: control) }
        try await wait(step, "\(control) to accept drag", for: control.name) { snapshot in
            snapshot.screen.flatMap { find($0) } != nil
        }
        let area = await phone.screen.flatMap { screen in
            find(screen).flatMap { event in screen.root.first { $0.id == event.node } }
        }
        let distance = area?.properties["distance"]?.number ?? 0
        if (x * x + y * y).squareRoot() < distance {
            let message = "the drag is too short: \(control) expects at least \(Int(distance.rounded(.up))) points"
            throw Failure(line: step.line, message: message)
        }
        for phase in ["changed", "ended"] {
            let value = NodeValue.list([.string(phase), .number(x), .number(y), 0, 0])
            try await touch(step, "drag", control) { screen in
                find(screen).map { ViewEvent(node: $0.node, action: .drag, value: value) }
            }
        }
    }

    private enum Touch: Sendable {
        case notSent, noResponse
        case rejected(EventOutcome)
    }

    /// - Parameter name: The control that is waited for, whose nearest names a failure lists.
    private func wait(
        _ step: Scenario.Step, _ what: String, for name: String? = nil,
        until isWanted: @escaping @Sendable (Snapshot) -> Bool,
    ) async throws {
        if try await !withTimeout(of: step, { await holds(isWanted) }) {
            throw await failure(step, what, nearTo: name)
        }
    }

    /// Waits until the condition holds.
    ///
    /// - Returns: `false` if the task is cancelled before.
    private func holds(_ isWanted: @Sendable (Snapshot) -> Bool) async -> Bool {
        let subscription = await phone.subscribe()
        if isWanted(await snapshot()) { return true }
        for await _ in subscription.events where isWanted(await snapshot()) { return true }
        return false
    }

    private func wait(_ step: Scenario.Step, for expectation: TelemetryExpectation) async throws {
        let isDone = try await received(step) {
            expectation.count.holds(for: Double(try await evidence.count(expectation)))
        }
        if !isDone {
            let count = try await evidence.count(expectation)
            throw Failure(
                line: step.line,
                message: "\(step.timedOut) \(expectation)\nThe collector received \(count) matching records.")
        }
    }

    private func wait(_ step: Scenario.Step, for expectation: PromotionExpectation) async throws {
        if try await received(step, { expectation.holds(for: try await evidence.traces()) }) { return }
        let difference = expectation.difference(from: try await evidence.traces())
        throw Failure(line: step.line, message: "\(step.timedOut) \(expectation)\n\(difference)")
    }

    /// Waits until the collector has received what is expected.
    ///
    /// - Returns: `false` if the step's time has passed before.
    private func received(
        _ step: Scenario.Step, _ isWanted: @escaping @Sendable () async throws -> Bool,
    ) async throws -> Bool {
        let changes = await evidence.changes()
        return try await withTimeout(of: step) {
            if try await isWanted() { return true }
            for await _ in changes where try await isWanted() { return true }
            return false
        }
    }

    private func withTimeout(
        of step: Scenario.Step, _ body: @escaping @Sendable () async throws -> Bool,
    ) async throws -> Bool {
        let waiting = Task { try await body() }
        let timer = Task {
            try await Task.sleep(for: .seconds(step.timeout))
            waiting.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await waiting.value
        } onCancel: {
            waiting.cancel()
        }
    }
}

extension Scenario.Step {
    var timedOut: String { "timed out after \(timeout) s waiting for" }
}

extension StatusExpectation {
    func holds(for status: AppStatus) -> Bool {
        let ledger = status.ledger
        return switch self {
        case .mode(let mode): status.mode == mode
        case .upload(let upload): status.upload == upload
        case .waiting(let expectation): expectation.holds(for: Double(ledger.inJournal + ledger.inQueue))
        case .queued(let expectation): expectation.holds(for: Double(ledger.inQueue))
        case .dropped(let expectation): expectation.holds(for: Double(ledger.droppedTotal))
        case .delivered(let expectation): expectation.holds(for: Double(ledger.delivered))
        case .recorded(let expectation): expectation.holds(for: Double(status.recorder?.records ?? 0))
        case .balanced(let flag): ledger.isBalanced == flag
        case .screen(let name): status.screen == name
        }
    }
}
