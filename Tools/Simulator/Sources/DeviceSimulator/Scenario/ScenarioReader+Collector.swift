import AstrolabeDeviceConditions
import ViewTree
import Yams

// The steps of virtual time, of the collector and of the backend.
extension ScenarioReader {
    /// Reads the flags of a backend and their values: numbers, true or false, and texts.
    static func flags(_ node: Node) throws(ScenarioError) -> [String: NodeValue] {
        guard let mapping = node.mapping, !mapping.isEmpty else {
            throw ScenarioError(node, "backend: expected flags, such as paymentFailure: 100")
        }
        var flags: [String: NodeValue] = [:]
        for (key, value) in mapping {
            let name = try text(key, "backend")
            if let number = value.int.map(Double.init) ?? value.float {
                flags[name] = .number(number)
            } else if let isOn = value.bool {
                flags[name] = .bool(isOn)
            } else {
                flags[name] = .string(try text(value, name))
            }
        }
        return flags
    }

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
