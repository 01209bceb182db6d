import AstrolabeDeviceConditions
import ViewTree
import Yams

// The steps of virtual time and of the collector.
extension ScenarioReader {
    private static let units = ["s": 1.0, "min": 60.0, "h": 3_600.0, "d": 86_400.0]

    /// Reads `20 min`, `1.5 h` or `-2 d` as seconds.
    static func duration(_ node: Node) throws(ScenarioError) -> Double {
        let words = node.string?.split(separator: " ") ?? []
        guard words.count == 2, let number = Double(words[0]), let unit = units[String(words[1])] else {
            throw ScenarioError(node, "expected a number and s, min, h or d, such as 20 min")
        }
        return number * unit
    }

    private static let collectorWords = ["status", "retryAfter", "portal", "loses", "kills", "delay", "bytesPerSecond"]

    /// Reads `works`, or how the collector or the way to it fails.
    static func collectorUpdate(_ node: Node) throws(ScenarioError) -> CollectorUpdate {
        if node.string == "works" { return CollectorUpdate() }
        guard let mapping = node.mapping else {
            let names = collectorWords.map { $0 + ":" }.joined(separator: ", ")
            throw ScenarioError(node, "collector: expected works, or a mapping with \(names)")
        }
        let fields = try fields(node, collectorWords)
        var update = CollectorUpdate()
        func number(_ name: String, _ range: ClosedRange<Double>) throws(ScenarioError) -> Double? {
            guard let text = fields[name] else { return nil }
            guard let number = Double(text), range.contains(number) else {
                let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
                throw ScenarioError(mapping.first { $0.key.string == name }?.value, "\(name): expected \(bounds)")
            }
            return number
        }
        func choice<Value>(_ name: String, _ values: [String: Value]) throws(ScenarioError) -> Value? {
            guard let text = fields[name] else { return nil }
            guard let value = values[text] else {
                let node = mapping.first { $0.key.string == name }?.value
                throw ScenarioError(node, "\(name): expected \(values.keys.sorted().joined(separator: " or "))")
            }
            return value
        }
        update.delay = try number("delay", 0...3_600) ?? 0
        update.bytesPerSecond = try number("bytesPerSecond", 1...1e9)
        let retryAfter = try number("retryAfter", 0...86_400).map { Int($0) }
        let responses = [
            try number("status", 100...599).map { CollectorResponse.status(Int($0), retryAfter: retryAfter) },
            try choice("portal", ["page": CollectorResponse.page, "redirect": .redirect]),
            try choice("loses", ["requests": CollectorResponse.losesRequest, "responses": .losesResponse]),
            try choice("kills", ["before": CollectorResponse.kills(isTaken: false), "after": .kills(isTaken: true)]),
        ].compactMap(\.self)
        guard responses.count < 2 else {
            throw ScenarioError(node, "collector: expected one of status:, portal:, loses: and kills:")
        }
        if retryAfter != nil, fields["status"] == nil {
            throw ScenarioError(node, "retryAfter: expected status: beside it")
        }
        update.response = responses.first ?? .works
        return update
    }
}

extension Scenario.Action {
    /// True if the step has a meaning in virtual time only.
    var needsVirtualTime: Bool {
        switch self {
        case .advance, .clock, .accounted, .requests, .waited: true
        case .collector(let update): update.delay > 0 || update.bytesPerSecond != nil
        default: false
        }
    }

    /// The text for the step in a table of hours; `nil` for none.
    var note: String? {
        switch self {
        case .collector(let update): "\(update)"
        case .set(let update): update.note
        case .clock(let seconds):
            "clock \(seconds < 0 ? "-" : "+")\(Account.clock(abs(seconds)))"
        case .perform(let action) where action != .launch: action.rawValue
        case .launch(let kind): "\(kind.word) at launch"
        case .touch(.tap, let identifier, _): identifier
        default: nil
        }
    }
}

extension PhoneSettingsUpdate {
    fileprivate var note: String? {
        var parts: [String] = []
        if let network { parts.append(network.rawValue) }
        if let batteryLevel { parts.append("battery \(Int((batteryLevel * 100).rounded())) %") }
        if let isCharging { parts.append(isCharging ? "charging" : "unplugged") }
        if let isLowPower { parts.append(isLowPower ? "Low Power Mode" : "no Low Power Mode") }
        if let thermal { parts.append("thermal \(thermal.rawValue)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
