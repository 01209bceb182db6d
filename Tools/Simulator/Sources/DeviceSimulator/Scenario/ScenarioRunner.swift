import AstrolabePlatform
import DeviceLink
import ViewTree

/// Plays a scenario on a phone.
package struct ScenarioRunner: Sendable {
    private let phone: PhoneSimulator
    private let evidence: any ScenarioEvidence

    package init(phone: PhoneSimulator, evidence: any ScenarioEvidence) {
        self.phone = phone
        self.evidence = evidence
    }

    /// What a step that did not come true wanted, and what there was instead.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let line: Int
        package let message: String

        package var description: String { "line \(line): \(message)" }
    }

    /// Carries out each step, and waits for what it wants.
    ///
    /// - Parameter report: Told of each step when it is done, with the time that it took.
    /// - Throws: ``Failure`` for the first step that does not come true.
    package func play(
        _ scenario: Scenario, report: @Sendable (Scenario.Step, Duration) -> Void = { _, _ in },
    ) async throws {
        do {
            try await phone.apply(scenario.phone)
        } catch {
            throw Failure(line: 0, message: "\(error)")
        }
        for step in scenario.steps {
            let clock = ContinuousClock()
            let start = clock.now
            do {
                for _ in 0..<step.times { try await carryOut(step) }
            } catch let error as PhoneError {
                throw Failure(line: step.line, message: "\(error)")
            }
            report(step, clock.now - start)
        }
    }

    private func carryOut(_ step: Scenario.Step) async throws {
        switch step.act {
        case .perform(.launch):
            try await phone.perform(.launch)
            try await wait(step, "the app is in front") { $0.phase == .active }
        case .perform(.reinstall):
            try await phone.perform(.reinstall)
            try await wait(step, "the app is in front") { $0.phase == .active }
        case .perform(.kill):
            try await phone.perform(.kill)
            try await wait(step, "the app is dead") { $0.phase == .ended }
        case .perform(let action): try await phone.perform(action)
        case .set(let update): try await phone.apply(update)
        case .touch(let action, let identifier, let value):
            try await touch(step, action, identifier, find: { $0.target(of: action, identifier) }) { _ in
                value.map(NodeValue.string)
            }
        case .front(let action):
            try await touch(
                step, action, "what is in front", find: { $0.all { $0.actions.contains(action) }.last },
                value: { _ in nil }, )
        case .choose(let title, let identifier):
            try await touch(step, .change, identifier, find: { $0.target(of: .change, identifier) }) {
                $0.choice(titled: title).map { .number(Double($0)) }
            }
        case .screen(let wish): try await wait(step, "\(wish)") { wish.holds(for: $0.screen) }
        case .ended(let kind): try await wait(step, "the app's end by \(kind.word)") { $0.end?.kind == kind }
        case .status(let wishes):
            try await wait(step, "\(wishes.map(\.description).joined(separator: ", "))") { view in
                view.status.map { status in wishes.allSatisfy { $0.holds(for: status) } } ?? false
            }
        case .telemetry(let wish): try await wait(step, for: wish)
        }
    }

    /// What a step may wait for.
    struct Look: Sendable {
        var phase: PhoneState.Phase
        var end: AppEnd?
        var screen: RenderedTree?
        var status: AppStatus?
    }

    private func look() async -> Look {
        let state = await phone.state
        return Look(phase: state.app.phase, end: state.app.end, screen: await phone.screen, status: await phone.status)
    }

    /// Touches what is found as soon as it is there and takes the action.
    private func touch(
        _ step: Scenario.Step, _ action: ViewAction, _ name: String,
        find: @escaping @Sendable (RenderedNode) -> RenderedNode?,
        value: @escaping @Sendable (RenderedNode) -> NodeValue?,
    ) async throws {
        @Sendable func target(in look: Look) -> RenderedNode? {
            guard let target = look.screen.flatMap({ find($0.root) }) else { return nil }
            return action == .change && value(target) == nil ? nil : target
        }
        let came = Locked(Touch.notTouched)
        let isDone = try await inTime(step) {
            // A screen that changes between the look and the touch is looked at again.
            while await holds({ target(in: $0) != nil }) {
                guard let target = target(in: await look()) else { continue }
                came.withLock { if case .notTouched = $0 { $0 = .unanswered } }
                let event = ViewEvent(node: target.id, action: action, value: value(target))
                guard let outcome = try await phone.touch(event) else { return !Task.isCancelled }
                if outcome == .handled { return true }
                came.withLock { $0 = .refused(outcome) }
            }
            return false
        }
        guard !isDone else { return }
        switch came.withLock({ $0 }) {
        case .notTouched: throw await failure(step, "\(name) takes \(action.rawValue)")
        case .unanswered: throw await failure(step, "the app's answer to \(action.rawValue) of \(name)")
        case .refused(let outcome):
            throw Failure(line: step.line, message: "\(name) did not take \(action.rawValue): \(outcome)")
        }
    }

    private enum Touch: Sendable {
        case notTouched, unanswered
        case refused(EventOutcome)
    }

    private func wait(
        _ step: Scenario.Step, _ what: String, until isWanted: @escaping @Sendable (Look) -> Bool,
    ) async throws {
        if try await !inTime(step, { await holds(isWanted) }) { throw await failure(step, what) }
    }

    /// Waits until it is so; false where the task is cancelled before.
    private func holds(_ isWanted: @Sendable (Look) -> Bool) async -> Bool {
        let view = await phone.watch()
        if isWanted(await look()) { return true }
        for await _ in view.news where isWanted(await look()) { return true }
        return false
    }

    private func wait(_ step: Scenario.Step, for wish: TelemetryExpectation) async throws {
        let changes = await evidence.changes()
        let isDone = try await inTime(step) {
            if wish.count.holds(for: Double(try await evidence.count(wish))) { return true }
            for await _ in changes where wish.count.holds(for: Double(try await evidence.count(wish))) { return true }
            return false
        }
        if !isDone {
            let count = try await evidence.count(wish)
            throw Failure(
                line: step.line, message: "waited \(step.within) s in vain: \(wish)\nThe collector has \(count).", )
        }
    }

    private func inTime(
        _ step: Scenario.Step, _ body: @escaping @Sendable () async throws -> Bool,
    ) async throws -> Bool {
        let waiting = Task { try await body() }
        let alarm = Task {
            try await Task.sleep(for: .seconds(step.within))
            waiting.cancel()
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await waiting.value
        } onCancel: {
            waiting.cancel()
        }
    }

    private func failure(_ step: Scenario.Step, _ what: String) async -> Failure {
        let look = await look()
        var lines = ["waited \(step.within) s in vain: \(what)", "The app is \(look.phase.words)."]
        if let end = look.end { lines.append(end.text) }
        if let status = look.status { lines.append("The SDK says: \(status.summary)") }
        if let screen = look.screen { lines.append("The screen shows:\n\(screen.root.summary)") }
        return Failure(line: step.line, message: lines.joined(separator: "\n"))
    }
}

extension RenderedNode {
    /// What a person can read and touch, one line each.
    fileprivate var summary: String {
        all { node in ["identifier", "text", "title", "label"].contains { node.properties[$0]?.string != nil } }
            .map { node in
                let words = ["title", "text", "label", "value"].compactMap { node.properties[$0]?.string }
                let name = node.properties["identifier"]?.string.map { " (\($0))" } ?? ""
                return "  \(node.kind.rawValue)\(name) \(words.joined(separator: ", "))"
            }
            .joined(separator: "\n")
    }
}

extension AppStatus {
    fileprivate var summary: String {
        let ledger = ledger
        let dropped = ledger.dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return """
            \(mode) mode, upload \(upload); \(ledger.created) records created, \(ledger.delivered) delivered, \
            \(ledger.inJournal) in the journal, \(ledger.inQueue) in the queue, dropped: \
            \(dropped.isEmpty ? "none" : dropped.joined(separator: ", ")); \(blockers.joined(separator: "; "))
            """
    }
}

extension StatusExpectation {
    func holds(for status: AppStatus) -> Bool {
        let ledger = status.ledger
        let dropped = ledger.dropped.values.reduce(0, +)
        return switch self {
        case .mode(let mode): status.mode == mode
        case .upload(let upload): status.upload == upload
        case .waiting(let wish): wish.holds(for: Double(ledger.inJournal + ledger.inQueue))
        case .queued(let wish): wish.holds(for: Double(ledger.inQueue))
        case .dropped(let wish): wish.holds(for: Double(dropped))
        case .delivered(let wish): wish.holds(for: Double(ledger.delivered))
        case .balanced(let flag):
            (ledger.created == ledger.delivered + ledger.inJournal + ledger.inQueue + dropped) == flag
        case .screen(let name): status.screen == name
        }
    }
}
