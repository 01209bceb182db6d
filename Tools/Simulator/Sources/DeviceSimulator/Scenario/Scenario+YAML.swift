import Foundation
import ViewTree

/// Writes the parts of a scenario that a recording has. `ScenarioReader` reads them.
enum YAML {
    /// Returns the text as it is if YAML takes it for one everywhere, or else in quotation marks.
    static func scalar(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[A-Za-z]([A-Za-z0-9 _.\/-]*[A-Za-z0-9_.\/-])?/) != nil
        if isPlain, !words.contains(text.lowercased()) { return text }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar.value {
            case 0x22: "\\\""
            case 0x5C: "\\\\"
            case 0x0A: "\\n"
            case 0x09: "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: "\\u" + hexadecimal(scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    static func scalar(_ value: NodeValue) -> String {
        switch value {
        case .string(let text): scalar(text)
        case .number(let number):
            number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : String(number)
        case .bool(let isOn): String(isOn)
        case .list(let list): "[" + list.map(scalar).joined(separator: ", ") + "]"
        }
    }

    /// A mapping in one line; members without a value are left out.
    static func mapping(_ members: [(key: String, value: NodeValue)]) -> String {
        "{ " + members.map { "\($0.key): \(scalar($0.value))" }.joined(separator: ", ") + " }"
    }

    /// Texts that YAML would take for a Boolean or nothing.
    private static let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Scenario.Action {
    /// The step in a file; `nil` for steps that no recording has.
    var yaml: String? {
        switch self {
        case .perform(let action): action.rawValue
        case .launch(let kind): "launch: \(kind.word)"
        case .ended(let kind): "ended: \(kind.word)"
        case .set(let update): "set: " + YAML.mapping(update.values.sorted { $0.key < $1.key })
        case .open(let url): "open: " + YAML.scalar(url.absoluteString)
        case .front(let action): action.rawValue
        case .touch(let action, let control, let value): Self.touch(action, control, value)
        case .swipe(let row, let title): "swipe: " + Self.mapping(("row", row), ("action", title))
        case .choose(let title, let control):
            "choose: " + Self.mapping(("in", control.name), ("title", title), ("near", control.near))
        case .drag(let control, let x, let y):
            "drag: " + YAML.mapping([("id", .string(control.name)), ("x", .number(x)), ("y", .number(y))])
        case .screen(let expectation):
            (expectation.isAbsent ? "gone: " : "wait: ")
                + (expectation.text == nil
                    ? YAML.scalar(expectation.identifier ?? "")
                    : Self.mapping(("id", expectation.identifier), ("text", expectation.text)))
        case .status, .telemetry, .promoted, .advance, .clock, .collector, .requests, .waited, .accounted, .backend: nil
        }
    }

    private static func touch(_ action: ViewAction, _ control: ControlName, _ value: String?) -> String? {
        switch action {
        case .change: "type: " + mapping(("into", control.name), ("text", value), ("near", control.near))
        case .move: "move: " + mapping(("row", control.name), ("to", value))
        case .tap, .increment, .decrement, .submit: "\(action.rawValue): " + name(control)
        case .longPress: "hold: " + name(control)
        default: nil
        }
    }

    private static func name(_ control: ControlName) -> String {
        control.near == nil ? YAML.scalar(control.name) : mapping(("name", control.name), ("near", control.near))
    }

    private static func mapping(_ members: (String, String?)...) -> String {
        YAML.mapping(members.compactMap { key, text in text.map { (key: key, value: NodeValue.string($0)) } })
    }
}
