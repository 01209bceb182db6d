import DeviceLink
import Foundation
import ViewTree

/// Writes down what a person does with the phone, as the steps of a scenario.
///
/// A control is named by its identifier, or else by its words. Where the screen has changed since the last step, the
/// recorder adds what to wait for.
struct ScenarioRecorder: Sendable {
    /// A line of the scenario.
    enum Entry: Hashable, Sendable {
        case step(Scenario.Action, times: Int)
        /// A comment about an event without a step.
        case remark(String)
    }

    private(set) var entries: [Entry] = [.step(.perform(.launch), times: 1)]
    private let app: String
    /// The settings of the phone that differ from those of a scenario.
    private let phone: [String: NodeValue]
    /// The screen of the last step; `nil` if the app has been started since.
    private var before: RenderedTree?
    /// The events without a response yet, in order, each with the screen to which it was sent.
    private var pending: [(number: Int, event: ViewEvent, screen: RenderedTree)] = []

    /// - Parameter settings: Those with which the app is launched.
    init(app: String, settings: PhoneSettings) {
        self.app = app
        var usual = PhoneSettings()
        // A scenario samples everything, so that what arrives does not depend on chance.
        usual.sampling = settings.sampling == .automatic ? .automatic : .everything
        let values = usual.values
        phone = settings.values.filter { $0.value != values[$0.key] }
    }

    /// The number of steps.
    var count: Int { entries.count(where: { if case .step = $0 { true } else { false } }) }

    /// Takes note of an event that was sent to the app.
    mutating func sent(_ event: ViewEvent, number: Int, to screen: RenderedTree?) {
        guard let screen, !Self.isSilent(event.action) else { return }
        pending.append((number, event, screen))
    }

    /// Records an event that the app has handled, and forgets one that it has not.
    mutating func settled(_ number: Int, _ outcome: EventOutcome) {
        guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
        let item = pending.remove(at: index)
        if outcome == .handled { record(item.event, on: item.screen) }
    }

    /// Records an action of the phone, or the end of the app.
    ///
    /// - Parameter screen: `nil` if the app is not in the foreground.
    mutating func note(_ action: Scenario.Action, on screen: RenderedTree?) {
        flush()
        // These are changes of a setting, which is recorded by itself.
        if case .perform(.memoryWarning) = action { return }
        if case .perform(.memoryCritical) = action { return }
        if case .perform(.memoryNormal) = action { return }
        append(action, on: screen)
    }

    /// Removes the last step, if it is an action that the phone did not allow.
    mutating func retract(_ action: Scenario.Action) {
        if entries.last == .step(action, times: 1) { entries.removeLast() }
    }

    /// Records that the app has crashed.
    mutating func noteCrash(isLaunching: Bool) {
        flush()
        if isLaunching, entries.last == .step(.perform(.launch), times: 1) {
            entries[entries.count - 1] = .step(.launch(until: .signal), times: 1)
        } else {
            entries.append(.step(.ended(.signal), times: 1))
        }
        before = nil
    }

    /// Ends the recording with what the last screen shows.
    mutating func finish(on screen: RenderedTree?) {
        flush()
        guard let wait = Self.wait(from: before, to: screen) else { return }
        entries.append(.step(.screen(wait), times: 1))
        before = screen
    }

    /// The file of the scenario.
    var yaml: String {
        let settings = phone.isEmpty ? [] : ["phone: \(YAML.mapping(phone.sorted { $0.key < $1.key }))"]
        let lines = entries.flatMap { entry -> [String] in
            switch entry {
            case .step(let action, let times):
                guard let text = action.yaml else { return [] }
                return ["  - \(text)"] + (times > 1 ? ["    times: \(times)"] : [])
            case .remark(let text): return ["  # \(text)"]
            }
        }
        let header = ["scenario: \(YAML.scalar("Recorded with \(app)"))"] + settings + ["steps:"]
        return (header + lines).joined(separator: "\n") + "\n"
    }

    /// The events that are part of another step, or of none.
    private static func isSilent(_ action: ViewAction) -> Bool {
        switch action {
        case .focus, .blur, .appear, .measure, .press, .release: true
        default: false
        }
    }

    /// Records the events that the app has not responded to, because it has ended or is about to.
    private mutating func flush() {
        let items = pending
        pending = []
        for item in items { record(item.event, on: item.screen) }
    }

    private mutating func record(_ event: ViewEvent, on screen: RenderedTree) {
        if event.action == .drag, event.value?.list?.first?.string != "ended" { return }
        if let action = Self.action(for: event, on: screen) {
            append(action, on: screen)
        } else {
            let kind = screen.root.first { $0.id == event.node }?.kind.rawValue ?? "view"
            entries.append(
                .remark("\(event.action.rawValue) on a \(kind) without a name. Give it an accessibility identifier."))
        }
    }

    private mutating func append(_ action: Scenario.Action, on screen: RenderedTree?) {
        if merge(action) { return }
        let wait = Self.wait(from: before, to: screen)
        if let wait { entries.append(.step(.screen(wait), times: 1)) }
        if wait == nil, case .touch(.tap, _, _) = action, case .step(action, let times)? = entries.last {
            entries[entries.count - 1] = .step(action, times: times + 1)
        } else {
            entries.append(.step(action, times: 1))
        }
        if let screen { before = screen }
        switch action {
        case .perform(.launch), .perform(.reinstall), .perform(.kill), .perform(.terminate): before = nil
        default: break
        }
    }

    /// Puts the action together with the last step, if a person would call both one.
    ///
    /// These are the letters of a text, the way of a slider, and the presses of a stepper.
    private mutating func merge(_ action: Scenario.Action) -> Bool {
        guard case .step(let last, let times)? = entries.last else { return false }
        switch (last, action) {
        case (.touch(.change, let one, _), .touch(.change, let other, _)) where one == other:
            entries[entries.count - 1] = .step(action, times: 1)
        case (.set(let one), .set(let other)):
            entries[entries.count - 1] = .step(.set(one.merging(other)), times: 1)
        case (.touch(.increment, _, _), _) where last == action, (.touch(.decrement, _, _), _) where last == action:
            entries[entries.count - 1] = .step(action, times: times + 1)
        default: return false
        }
        return true
    }
}

// The steps of events.
extension ScenarioRecorder {
    /// Returns the step that does the same as an event; `nil` if its control has no name.
    static func action(for event: ViewEvent, on screen: RenderedTree) -> Scenario.Action? {
        switch event.action {
        case .back, .dismiss, .refresh:
            let front = screen.root.all { $0.actions.contains(event.action) }.last
            return front?.id == event.node ? .front(event.action) : nil
        case .tap:
            // A tap with a value is one on a link within a text.
            guard event.value == nil else { return nil }
            if let swipe = screen.swipe(of: event) { return .swipe(row: swipe.row, title: swipe.title) }
            return touch(event, on: screen)
        case .change: return change(event, on: screen)
        case .drag:
            let numbers = (event.value?.list ?? []).compactMap(\.number)
            guard numbers.count == 4, let name = screen.name(of: event) else { return nil }
            return .drag(name, x: numbers[0] - numbers[2], y: numbers[1] - numbers[3])
        case .increment, .decrement, .submit, .longPress, .move: return touch(event, on: screen)
        default: return nil
        }
    }

    private static func touch(_ event: ViewEvent, on screen: RenderedTree) -> Scenario.Action? {
        screen.name(of: event).map { .touch(event.action, on: $0, value: event.value?.asText) }
    }

    private static func change(_ event: ViewEvent, on screen: RenderedTree) -> Scenario.Action? {
        guard let node = screen.root.first({ $0.id == event.node }) else { return nil }
        switch node.kind {
        case .toggle:
            let tap = ViewEvent(node: event.node, action: .tap)
            return screen.name(of: tap).map { .touch(.tap, on: $0, value: nil) }
        case .tabBar:
            if let name = screen.name(of: event) { return .touch(.tap, on: name, value: nil) }
            return screen.choice(of: event).map { .choose($0.title, in: $0.control) }
        case .picker: return screen.choice(of: event).map { .choose($0.title, in: $0.control) }
        default: return touch(event, on: screen)
        }
    }
}

// The words that tell a screen from the one before.
extension ScenarioRecorder {
    /// Returns what the screen has and the one before had not, or else what it has no more; `nil` if nothing has
    /// changed that stays the same in another run.
    static func wait(from before: RenderedTree?, to now: RenderedTree?) -> ScreenExpectation? {
        guard let now else { return nil }
        let new = now.landmarks.first { $0.holds(for: now) && !$0.holds(for: before) }
        if let new { return new }
        let lost = (before?.landmarks ?? []).map { landmark in
            var landmark = landmark
            landmark.isAbsent = true
            return landmark
        }
        return lost.first { $0.holds(for: now) && !$0.holds(for: before) }
    }
}

extension RenderedTree {
    /// Expectations that the screen meets, the surest first: titles, identifiers, texts, and the texts of views with an
    /// identifier. A text with digits may be another in another run, and one with an ellipsis does not stay.
    fileprivate var landmarks: [ScreenExpectation] {
        func titles(_ kinds: [NodeKind]) -> [ScreenExpectation] {
            root.all { kinds.contains($0.kind) && $0.properties["barHidden"]?.bool != true }
                .compactMap { $0.properties["title"]?.string }.filter(\.isLandmark).reversed()
                .map { ScreenExpectation(text: $0) }
        }
        let named = root.all { $0.properties["identifier"]?.string?.isEmpty == false }
        let identifiers = named.compactMap { $0.properties["identifier"]?.string }
        let texts = root.texts.filter(\.isLandmark)
        let values = named.compactMap { node -> ScreenExpectation? in
            // A field has what the step before has typed.
            guard !node.actions.contains(.change), let text = node.words.first, !text.isEmpty, text.count <= 40
            else { return nil }
            return ScreenExpectation(identifier: node.properties["identifier"]?.string, text: text)
        }
        return titles([.alert, .dialog]) + titles([.page]) + identifiers.map { ScreenExpectation(identifier: $0) }
            + texts.map { ScreenExpectation(text: $0) } + values
    }
}

extension String {
    fileprivate var isLandmark: Bool {
        !isEmpty && count <= 60 && !contains { $0.isNumber || $0.isNewline || $0 == "…" }
    }
}

extension NodeValue {
    /// The value as a step writes it.
    fileprivate var asText: String? {
        switch self {
        case .string(let string): string
        case .number, .bool: YAML.scalar(self)
        case .list: nil
        }
    }
}

extension PhoneSettings {
    /// The settings by their names in a scenario.
    var values: [String: NodeValue] { Self.values(of: self) }

    fileprivate static func values(of settings: some Encodable) -> [String: NodeValue] {
        guard let json = try? JSONEncoder().encode(settings) else { return [:] }
        return (try? JSONDecoder().decode([String: NodeValue].self, from: json)) ?? [:]
    }
}

extension PhoneSettingsUpdate {
    /// The new values by their names in a scenario.
    var values: [String: NodeValue] { PhoneSettings.values(of: self) }

    /// Returns the update with the values of a later one.
    func merging(_ later: PhoneSettingsUpdate) -> PhoneSettingsUpdate {
        let merged = values.merging(later.values) { _, new in new }
        guard let json = try? JSONEncoder().encode(merged) else { return later }
        return (try? JSONDecoder().decode(PhoneSettingsUpdate.self, from: json)) ?? later
    }
}
