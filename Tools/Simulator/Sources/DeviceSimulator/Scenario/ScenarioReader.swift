import Foundation
import ViewTree
import Yams

/// Reads a scenario from YAML. Errors name the line.
package enum ScenarioReader {
    /// - Throws: ``ScenarioError``
    package static func read(_ yaml: String) throws(ScenarioError) -> Scenario {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw ScenarioError(error)
        }
        guard let root, let mapping = root.mapping else {
            throw ScenarioError(root, "expected a mapping with scenario: and steps:")
        }
        var scenario = Scenario(name: "", steps: [])
        for (key, value) in mapping {
            switch key.string {
            case "scenario": scenario.name = try text(value, "scenario")
            case "phone": scenario.phone = try settings(value)
            case "app": scenario.app = try text(value, "app")
            case "time":
                guard let word = value.string, ["virtual", "real"].contains(word) else {
                    throw ScenarioError(value, "time: " + unknown(value, among: ["real", "virtual"]))
                }
                scenario.isVirtual = word == "virtual"
            case "steps":
                guard let steps = value.sequence else { throw ScenarioError(value, "steps: expected a list") }
                for step in steps { scenario.steps.append(try self.step(step)) }
            default: throw ScenarioError(key, unknown(key, among: ["scenario", "app", "time", "phone", "steps"]))
            }
        }
        if scenario.name.isEmpty { throw ScenarioError(root, "expected scenario: with a name") }
        if !scenario.isVirtual, let step = scenario.steps.first(where: \.action.needsVirtualTime) {
            throw ScenarioError(step.line, "this step needs `time: virtual` at the top of the scenario")
        }
        if scenario.steps.isEmpty { throw ScenarioError(root, "expected steps: with at least one step") }
        return scenario
    }

    private static let words = [
        "tap", "type", "choose", "increment", "decrement", "submit", "hold", "swipe", "move", "drag", "open", "set",
        "backend", "wait", "gone",
        "launch", "ended", "status", "telemetry", "promoted", "advance", "clock", "collector", "requests",
        "waited",
    ]

    /// Actions on the frontmost view, which need no identifier.
    private static let frontActions: [ViewAction] = [.back, .dismiss, .refresh]

    private static func step(_ node: Node) throws(ScenarioError) -> Scenario.Step {
        let line = node.mark?.line ?? 0
        if let word = node.string {
            let action: Scenario.Action
            if let phoneAction = PhoneAction(rawValue: word) {
                action = .perform(phoneAction)
            } else if let viewAction = ViewAction(rawValue: word), frontActions.contains(viewAction) {
                action = .front(viewAction)
            } else if word == "accounted" {
                action = .accounted
            } else {
                let names = PhoneAction.allCases.map(\.rawValue) + frontActions.map(\.rawValue) + ["accounted"]
                throw ScenarioError(node, unknown(node, among: names))
            }
            return Scenario.Step(line: line, action: action, timeout: Scenario.Step.defaultTimeout)
        }
        guard let mapping = node.mapping else {
            throw ScenarioError(node, "expected a step, such as - tap: go-shopping")
        }
        var timeout = Scenario.Step.defaultTimeout
        var times = 1
        var action: Scenario.Action?
        for (key, value) in mapping {
            if key.string == "timeout" {
                guard let seconds = value.float ?? value.int.map(Double.init), (0.1...600).contains(seconds) else {
                    throw ScenarioError(value, "timeout: expected seconds from 0.1 to 600")
                }
                timeout = seconds
            } else if key.string == "times" {
                guard let number = value.int, (1...1_000).contains(number) else {
                    throw ScenarioError(value, "times: expected a number from 1 to 1000")
                }
                times = number
            } else if action == nil {
                action = try self.action(key, value)
            } else {
                throw ScenarioError(key, "a step has one action; start another step with a dash")
            }
        }
        guard let action else { throw ScenarioError(node, "expected a step, such as - tap: go-shopping") }
        return Scenario.Step(line: line, action: action, timeout: timeout, times: times)
    }

    private static func action(_ key: Node, _ value: Node) throws(ScenarioError) -> Scenario.Action {
        switch key.string {
        case "tap": return .touch(.tap, on: try control(value, "tap"), value: nil)
        case "increment": return .touch(.increment, on: try control(value, "increment"), value: nil)
        case "decrement": return .touch(.decrement, on: try control(value, "decrement"), value: nil)
        case "submit": return .touch(.submit, on: try control(value, "submit"), value: nil)
        case "hold": return .touch(.longPress, on: try control(value, "hold"), value: nil)
        case "swipe":
            guard value.mapping != nil else { return .swipe(row: try text(value, "swipe"), title: nil) }
            let fields = try fields(value, ["row", "action"], needed: ["row"])
            return .swipe(row: fields["row"] ?? "", title: fields["action"])
        case "move":
            let fields = try fields(value, ["row", "to"], needed: ["row", "to"])
            return .touch(.move, on: ControlName(fields["row"] ?? ""), value: fields["to"])
        case "drag":
            let fields = try fields(value, ["id", "x", "y"], needed: ["id"])
            let numbers = [fields["x"], fields["y"]].map { Double($0 ?? "0") ?? .nan }
            guard numbers.allSatisfy({ $0.magnitude <= 10_000 }), numbers != [0, 0] else {
                throw ScenarioError(value, "drag: expected x: or y: in points, up to 10000, and not both 0")
            }
            return .drag(ControlName(fields["id"] ?? ""), x: numbers[0], y: numbers[1])
        case "type":
            let fields = try fields(value, ["into", "text", "near"], needed: ["into", "text"])
            let field = ControlName(fields["into"] ?? "", near: fields["near"])
            return .touch(.change, on: field, value: fields["text"])
        case "choose":
            let fields = try fields(value, ["in", "title", "near"], needed: ["in", "title"])
            return .choose(fields["title"] ?? "", in: ControlName(fields["in"] ?? "", near: fields["near"]))
        case "open":
            guard let url = URL(string: try text(value, "open")), url.scheme != nil else {
                throw ScenarioError(value, "open: expected a URL with a scheme, such as shop://cart")
            }
            return .open(url)
        case "set": return .set(try settings(value))
        case "backend": return .backend(try flags(value))
        case "wait", "gone": return .screen(try screenExpectation(value, isAbsent: key.string == "gone"))
        case "launch": return .launch(until: try end(value, "launch"))
        case "ended": return .ended(try end(value, "ended"))
        case "status": return .status(try statusExpectations(value))
        case "telemetry": return .telemetry(try telemetryExpectation(value))
        case "promoted": return .promoted(try promotionExpectation(value))
        case "advance":
            let seconds = try duration(value)
            guard (0...86_400).contains(seconds) else { throw ScenarioError(value, "advance: expected 0 to 24 h") }
            return .advance(seconds)
        case "clock": return .clock(try duration(value))
        case "collector": return .collector(try collectorUpdate(value))
        case "requests": return .requests(try number(value))
        case "waited": return .waited(try number(value))
        case "accounted": return .accounted
        default: throw ScenarioError(key, unknown(key, among: words))
        }
    }

    /// Reads a control: its name alone, or with the name of something beside it.
    private static func control(_ node: Node, _ what: String) throws(ScenarioError) -> ControlName {
        guard node.mapping != nil else { return ControlName(try text(node, what)) }
        let fields = try fields(node, ["name", "near"], needed: ["name", "near"])
        return ControlName(fields["name"] ?? "", near: fields["near"])
    }

    private static func end(_ node: Node, _ what: String) throws(ScenarioError) -> AppEnd.Kind {
        let kinds = AppEnd.Kind.allCases
        guard let kind = kinds.first(where: { $0.word == node.string }) else {
            throw ScenarioError(node, "\(what): " + unknown(node, among: kinds.map(\.word)))
        }
        return kind
    }

    /// Reads what `wait:` or `gone:` expects; a string alone is an identifier.
    private static func screenExpectation(_ node: Node, isAbsent: Bool) throws(ScenarioError) -> ScreenExpectation {
        if let identifier = node.string { return ScreenExpectation(identifier: identifier, isAbsent: isAbsent) }
        let fields = try fields(node, ["id", "text"])
        guard !fields.isEmpty else { throw ScenarioError(node, "expected id: or text:, or both") }
        return ScreenExpectation(identifier: fields["id"], text: fields["text"], isAbsent: isAbsent)
    }

    private static func statusExpectations(_ node: Node) throws(ScenarioError) -> [StatusExpectation] {
        let names = ["mode", "upload", "waiting", "queued", "dropped", "delivered", "recorded", "balanced", "screen"]
        guard let mapping = node.mapping else { throw ScenarioError(node, "status: expected a mapping") }
        var expectations: [StatusExpectation] = []
        for (key, value) in mapping {
            switch key.string {
            case "mode": expectations.append(.mode(try text(value, "mode")))
            case "upload": expectations.append(.upload(try text(value, "upload")))
            case "waiting": expectations.append(.waiting(try number(value)))
            case "queued": expectations.append(.queued(try number(value)))
            case "dropped": expectations.append(.dropped(try number(value)))
            case "delivered": expectations.append(.delivered(try number(value)))
            case "recorded": expectations.append(.recorded(try number(value)))
            case "screen": expectations.append(.screen(try text(value, "screen")))
            case "balanced":
                guard let flag = value.bool else { throw ScenarioError(value, "balanced: expected true or false") }
                expectations.append(.balanced(flag))
            default: throw ScenarioError(key, unknown(key, among: names))
            }
        }
        return expectations
    }

    private static func telemetryExpectation(_ node: Node) throws(ScenarioError) -> TelemetryExpectation {
        guard let mapping = node.mapping else { throw ScenarioError(node, "telemetry: expected a mapping") }
        var expectation: TelemetryExpectation?
        for (key, value) in mapping {
            guard let kind = key.string.flatMap(TelemetryExpectation.Kind.init) else { continue }
            if expectation != nil { throw ScenarioError(key, "telemetry: expected span: or event:, not both") }
            expectation = TelemetryExpectation(kind: kind, name: try text(value, kind.rawValue))
        }
        guard var expectation else { throw ScenarioError(node, "telemetry: expected span: or event: with a name") }
        for (key, value) in mapping {
            switch key.string {
            case "span", "event": break
            case "count": expectation.count = try number(value)
            case "service": expectation.service = try text(value, "service")
            case "status":
                let status = try text(value, "status")
                guard ["unset", "ok", "error"].contains(status) else {
                    throw ScenarioError(value, "status: expected unset, ok, or error; found \(status)")
                }
                expectation.status = status
            case "where":
                guard let attributes = value.mapping else { throw ScenarioError(value, "where: expected a mapping") }
                for (key, value) in attributes { expectation.attributes[key.string ?? ""] = try text(value, "where") }
            default:
                throw ScenarioError(
                    key, unknown(key, among: ["span", "event", "count", "service", "status", "where"]))
            }
        }
        return expectation
    }

    private static func promotionExpectation(_ node: Node) throws(ScenarioError) -> PromotionExpectation {
        let names = ["trigger", "trace"]
        guard let mapping = node.mapping else {
            throw ScenarioError(node, "promoted: expected a mapping with trigger: and trace:")
        }
        var expectation = PromotionExpectation(trigger: "", trace: [])
        for (key, value) in mapping {
            switch key.string {
            case "trigger":
                guard let trigger = value.string, PromotionExpectation.triggers.contains(trigger) else {
                    throw ScenarioError(value, "trigger: " + unknown(value, among: PromotionExpectation.triggers))
                }
                expectation.trigger = trigger
            case "trace":
                guard let spans = value.sequence, !spans.isEmpty else {
                    throw ScenarioError(value, "trace: expected a list of names of spans")
                }
                for span in spans { expectation.trace.append(try text(span, "trace")) }
            default: throw ScenarioError(key, unknown(key, among: names))
            }
        }
        if expectation.trigger.isEmpty { throw ScenarioError(node, "missing trigger:") }
        if expectation.trace.isEmpty { throw ScenarioError(node, "missing trace:") }
        return expectation
    }

    private static func number(_ node: Node) throws(ScenarioError) -> NumberExpectation {
        guard let expectation = node.scalar.flatMap({ NumberExpectation($0.string) }) else {
            throw ScenarioError(node, #"expected a number, such as 3 or ">= 2""#)
        }
        return expectation
    }

    static func text(_ node: Node, _ what: String) throws(ScenarioError) -> String {
        guard let scalar = node.scalar else { throw ScenarioError(node, "\(what): expected a string") }
        return scalar.string
    }

    static func fields(
        _ node: Node, _ names: [String], needed: [String] = [],
    ) throws(ScenarioError) -> [String: String] {
        guard let mapping = node.mapping else {
            let shown = (needed.isEmpty ? names : needed).map { $0 + ":" }
            throw ScenarioError(node, "expected a mapping with \(shown.joined(separator: " and "))")
        }
        var fields: [String: String] = [:]
        for (key, value) in mapping {
            guard let name = key.string, names.contains(name) else {
                throw ScenarioError(key, unknown(key, among: names))
            }
            fields[name] = try text(value, name)
        }
        if let missing = needed.first(where: { fields[$0] == nil }) {
            throw ScenarioError(node, "missing \(missing):")
        }
        return fields
    }

    private static func settings(_ node: Node) throws(ScenarioError) -> PhoneSettingsUpdate {
        let known = PhoneSettingsUpdate.names
        guard let mapping = node.mapping else {
            throw ScenarioError(node, "expected settings of the phone: \(known.joined(separator: ", "))")
        }
        for (key, _) in mapping where !known.contains(key.string ?? "") {
            throw ScenarioError(key, unknown(key, among: known))
        }
        do {
            let update = try YAMLDecoder().decode(PhoneSettingsUpdate.self, from: node, userInfo: [:])
            _ = try update.applied(to: PhoneSettings())
            return update
        } catch let error as PhoneError {
            throw ScenarioError(node, "\(error)")
        } catch {
            throw wrongSetting(in: mapping)
        }
    }

    /// Describes the first setting whose value has the wrong type or is unknown.
    private static func wrongSetting(in mapping: Node.Mapping) -> ScenarioError {
        for (key, value) in mapping {
            let alone = Node.mapping(Node.Mapping([(key, value)]))
            let isRight = (try? YAMLDecoder().decode(PhoneSettingsUpdate.self, from: alone, userInfo: [:])) != nil
            if isRight { continue }
            let name = key.string ?? ""
            let values = PhoneSettingsUpdate.values(of: name).joined(separator: ", ")
            return ScenarioError(value, "\(name): expected \(values); found \(value.string ?? "another type")")
        }
        return ScenarioError(mapping.mark?.line, "expected settings of the phone")
    }

    static func unknown(_ node: Node, among names: [String]) -> String {
        "expected one of \(names.joined(separator: ", ")); found \(node.string ?? "another type")"
    }
}

/// An error in the text of a scenario.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
    package let line: Int?
    package let message: String

    init(_ line: Int?, _ message: String) {
        self.line = line
        self.message = message
    }

    init(_ node: Node?, _ message: String) {
        self.init(node?.mark?.line, message)
    }

    /// Converts an error of the YAML parser.
    fileprivate init(_ error: any Error) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(mark.line, "invalid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(context.mark.line, "duplicate key: \(keys.joined(separator: ", "))")
        case .reader(let problem, _, _, _): self.init(Optional<Int>.none, "invalid YAML: \(problem)")
        default: self.init(Optional<Int>.none, "invalid YAML: \(error)")
        }
    }

    package var description: String { (line.map { "line \($0): " } ?? "") + message }
}
