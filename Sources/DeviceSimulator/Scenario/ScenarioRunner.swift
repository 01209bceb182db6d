import ConsoleStore
import DeviceLink
import ScreenTree

/// Plays a scenario on a phone.
package struct ScenarioRunner: Sendable {
    private let phone: PhoneSimulator
    private let evidence: ScenarioEvidence

    package init(phone: PhoneSimulator, evidence: ScenarioEvidence) {
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
                try await carryOut(step)
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
            try await touch(step, action, identifier) { _ in value.map(NodeValue.string) }
        case .choose(let title, let identifier):
            try await touch(step, .change, identifier) { $0.choice(titled: title).map { .number(Double($0)) } }
        case .screen(let wish): try await wait(step, "\(wish)") { wish.holds(for: $0.screen) }
        case .ended(let kind): try await wait(step, "the app has ended by \(kind)") { $0.end?.kind == kind }
        case .status(let wishes):
            try await wait(step, "the SDK's status is \(wishes)") { view in
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

    /// Touches what has the identifier as soon as it takes the action.
    private func touch(
        _ step: Scenario.Step, _ action: ViewAction, _ identifier: String,
        value: @escaping @Sendable (RenderedNode) -> NodeValue?,
    ) async throws {
        let needsValue = action == .change
        var outcome: EventOutcome? = .gone
        // A screen that changes between the look and the touch is looked at again.
        while outcome == .gone {
            try await wait(step, "\(identifier) takes \(action.rawValue)") { look in
                guard let target = look.screen?.root.target(of: action, identifier) else { return false }
                return !needsValue || value(target) != nil
            }
            guard let target = await phone.screen?.root.target(of: action, identifier) else { continue }
            outcome = try await phone.touch(ViewEvent(node: target.id, action: action, value: value(target)))
        }
        if let outcome, outcome != .handled {
            throw Failure(line: step.line, message: "\(identifier) did not take \(action.rawValue): \(outcome)")
        }
    }

    private func wait(
        _ step: Scenario.Step, _ what: String, until isWanted: @escaping @Sendable (Look) -> Bool,
    ) async throws {
        let view = await phone.watch()
        let isDone = try await inTime(step) {
            if isWanted(await look()) { return true }
            for await _ in view.news where isWanted(await look()) { return true }
            return false
        }
        if !isDone { throw await failure(step, what) }
    }

    private func wait(_ step: Scenario.Step, for wish: TelemetryWish) async throws {
        let changes = await evidence.changes()
        let isDone = try await inTime(step) {
            if wish.count.holds(for: Double(try await evidence.count(wish))) { return true }
            for await _ in changes where wish.count.holds(for: Double(try await evidence.count(wish))) { return true }
            return false
        }
        if !isDone {
            let count = try await evidence.count(wish)
            throw Failure(line: step.line, message: "waited \(step.within) s for \(wish); the collector has \(count)")
        }
    }

    private func inTime(_ step: Scenario.Step, _ body: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
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
        if let status = look.status { lines.append("The SDK says: \(status)") }
        if let screen = look.screen { lines.append("The screen shows:\n\(screen.root.outline)") }
        return Failure(line: step.line, message: lines.joined(separator: "\n"))
    }
}

extension StatusWish {
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
