import AstrolabePolicy

/// Makes a document of JSON, and collects what is wrong.
struct PolicyReader {
    private(set) var findings: [PolicyFinding] = []

    /// The longest text of a document, in bytes.
    private static let textLimit = 256
    /// The most elements of a list.
    private static let listLimit = 100
    private static let day = 86_400.0

    mutating func document(_ json: StrictJSON, hash: String) -> PolicyDocument {
        var members = object(json, at: "$")
        if let schema = required(&members, "schema", at: "$"),
            let number = integer(schema, at: "$.schema", in: 1...Int.max), number != PolicyDocument.schema
        {
            report("$.schema", "expected \(PolicyDocument.schema), found \(number)")
        }
        let app = required(&members, "app", at: "$").flatMap { text($0, at: "$.app") } ?? ""
        let version = required(&members, "version", at: "$").flatMap { integer($0, at: "$.version", in: 1...Int.max) }
        let expires = required(&members, "expires", at: "$").flatMap { time($0, at: "$.expires") }
        var document = PolicyDocument(
            app: app, version: version ?? 0, expires: expires ?? 0,
            policy: RemotePolicy(version: version ?? 0, hash: hash))
        readPolicy(&members, into: &document.policy)
        if let requests = take(&members, "requests") { document.requests = readRequests(requests) }
        reportUnknown(members, at: "$")
        findContradictions(document)
        return document
    }

    private mutating func readPolicy(_ members: inout [StrictJSON.Member], into policy: inout RemotePolicy) {
        if let rates = take(&members, "rates") {
            policy.samplingRates = table(rates, at: "$.rates") { reader, value, path in
                reader.number(value, at: path, in: 0...1)
            }
            reportOrder(policy.samplingRates, at: "$.rates", "at most") { $0 <= $1 }
        }
        if let intervals = take(&members, "flushIntervals") {
            policy.flushIntervals = table(intervals, at: "$.flushIntervals") { reader, value, path in
                reader.number(value, at: path, in: 1...Self.day).map { .seconds($0) }
            }
            reportOrder(policy.flushIntervals, at: "$.flushIntervals", "at least") { $0 >= $1 }
        }
        if let admission = take(&members, "admission") {
            policy.admission = choice(admission, at: "$.admission")
        }
        if let off = take(&members, "off") {
            policy.off = Set(list(off, at: "$.off") { $0.choice($1, at: $2) })
        }
        if let scopes = take(&members, "offScopes") {
            policy.offScopes = Set(list(scopes, at: "$.offScopes") { $0.text($1, at: $2) })
        }
        if let triggers = take(&members, "triggers") { policy.triggers = readTriggers(triggers) }
    }

    private mutating func readTriggers(_ json: StrictJSON) -> RemoteTriggers {
        let path = "$.triggers"
        var members = object(json, at: path)
        var triggers = RemoteTriggers()
        triggers.crashes = take(&members, "crashes").flatMap { flag($0, at: "\(path).crashes") }
        triggers.hangs = take(&members, "hangs").flatMap { flag($0, at: "\(path).hangs") }
        triggers.runEnds = take(&members, "runEnds").flatMap { flag($0, at: "\(path).runEnds") }
        triggers.errors = take(&members, "errors").flatMap { flag($0, at: "\(path).errors") }
        triggers.failedRequests = take(&members, "failedRequests").flatMap { flag($0, at: "\(path).failedRequests") }
        triggers.slowSpans = take(&members, "slowSpans").flatMap { seconds($0, at: "\(path).slowSpans") }
        triggers.limitPerHour = take(&members, "limitPerHour").flatMap {
            integer($0, at: "\(path).limitPerHour", in: 0...1_000)
        }
        triggers.dailyBytes = take(&members, "dailyBytes").flatMap {
            integer($0, at: "\(path).dailyBytes", in: 0...1_073_741_824)
        }
        triggers.flows = take(&members, "flows").map { flows in
            list(flows, at: "\(path).flows") { $0.flow($1, at: $2) }
        }
        if let rules = take(&members, "rules") {
            triggers.rules = list(rules, at: "\(path).rules") { $0.rule($1, at: $2) }
        }
        reportUnknown(members, at: path)
        return triggers
    }

    private mutating func flow(_ json: StrictJSON, at path: String) -> RemoteTriggers.Flow? {
        var members = object(json, at: path)
        let from = required(&members, "from", at: path).flatMap { text($0, at: "\(path).from") }
        let to = required(&members, "to", at: path).flatMap { text($0, at: "\(path).to") }
        reportUnknown(members, at: path)
        guard let from, let to else { return nil }
        if from == to { report(path, "expected two different screens, found \"\(from)\" twice") }
        return RemoteTriggers.Flow(from: from, to: to)
    }

    private mutating func rule(_ json: StrictJSON, at path: String) -> RemoteTriggers.Rule? {
        var members = object(json, at: path)
        let span = required(&members, "span", at: path).flatMap { text($0, at: "\(path).span") }
        let bound = required(&members, "longerThan", at: path).flatMap { seconds($0, at: "\(path).longerThan") }
        reportUnknown(members, at: path)
        guard let span, let bound else { return nil }
        return RemoteTriggers.Rule(span: span, longerThan: bound)
    }

    private mutating func readRequests(_ json: StrictJSON) -> [PolicyDocument.Request] {
        let requests = list(json, at: "$.requests") { $0.request($1, at: $2) }
        var known: Set<String> = []
        for (index, request) in requests.enumerated() where !known.insert(request.id).inserted {
            report("$.requests[\(index)].id", "expected an id of its own, found \"\(request.id)\" twice")
        }
        return requests
    }

    private mutating func request(_ json: StrictJSON, at path: String) -> PolicyDocument.Request? {
        var members = object(json, at: path)
        let id = required(&members, "id", at: path).flatMap { text($0, at: "\(path).id") }
        let kind: PolicyDocument.Request.Kind? = required(&members, "kind", at: path).flatMap {
            choice($0, at: "\(path).kind")
        }
        let installation = required(&members, "installation", at: path).flatMap {
            text($0, at: "\(path).installation")
        }
        var seconds: Int?
        if kind == .record {
            seconds = required(&members, "seconds", at: path).flatMap {
                integer($0, at: "\(path).seconds", in: 1...PolicyDocument.longestRecording)
            }
        }
        reportUnknown(members, at: path)
        guard let id, let kind, let installation else { return nil }
        return PolicyDocument.Request(id: id, kind: kind, installation: installation, seconds: seconds ?? 0)
    }

    /// Reports parts of a document that exclude each other.
    private mutating func findContradictions(_ document: PolicyDocument) {
        let policy = document.policy
        for (index, request) in document.requests.enumerated() {
            let path = "$.requests[\(index)].kind"
            if policy.isAllOff {
                report(path, "expected no request while \"all\" is off")
            } else if request.kind == .promote, policy.off.contains(.recorder) {
                report(path, "expected no \"promote\" while \"recorder\" is off")
            } else if request.kind == .record, policy.off.contains(.spans) {
                report(path, "expected no \"record\" while \"spans\" is off")
            }
        }
        if policy.isAllOff || policy.off.contains(.recorder), policy.triggers != RemoteTriggers() {
            report("$.triggers", "expected no triggers while the recorder is off")
        }
        if policy.isAllOff, policy.off.count > 1 { report("$.off", "expected \"all\" alone") }
    }
}

extension PolicyReader {
    private mutating func report(_ path: String, _ problem: String) {
        findings.append(PolicyFinding(path, problem))
    }

    private mutating func object(_ json: StrictJSON, at path: String) -> [StrictJSON.Member] {
        if case .object(let members) = json { return members }
        report(path, "expected an object, found \(json.found)")
        return []
    }

    private func take(_ members: inout [StrictJSON.Member], _ key: String) -> StrictJSON? {
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        return members.remove(at: index).value
    }

    private mutating func required(
        _ members: inout [StrictJSON.Member], _ key: String, at path: String,
    ) -> StrictJSON? {
        let value = take(&members, key)
        if value == nil { report("\(path).\(key)", "expected a value, found none") }
        return value
    }

    private mutating func reportUnknown(_ members: [StrictJSON.Member], at path: String) {
        for member in members { report("\(path).\(member.key.prefix(64))", "expected no such key here") }
    }

    private mutating func flag(_ json: StrictJSON, at path: String) -> Bool? {
        if case .bool(let flag) = json { return flag }
        report(path, "expected true or false, found \(json.found)")
        return nil
    }

    private mutating func number(_ json: StrictJSON, at path: String, in range: ClosedRange<Double>) -> Double? {
        if case .number(let digits) = json, let number = Double(digits), range.contains(number) { return number }
        report(
            path,
            "expected a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)), "
                + "found \(json.found)")
        return nil
    }

    private static func short(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    private mutating func seconds(_ json: StrictJSON, at path: String) -> Duration? {
        number(json, at: path, in: 0.001...Self.day).map { .seconds($0) }
    }

    private mutating func integer(_ json: StrictJSON, at path: String, in range: ClosedRange<Int>) -> Int? {
        if case .number(let digits) = json, let number = Int(digits), range.contains(number) { return number }
        let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
        report(path, "expected a whole number from \(range.lowerBound)\(upper), found \(json.found)")
        return nil
    }

    private mutating func text(_ json: StrictJSON, at path: String) -> String? {
        if case .string(let text) = json, (1...Self.textLimit).contains(text.utf8.count) { return text }
        report(path, "expected a text of 1 to \(Self.textLimit) bytes, found \(json.found)")
        return nil
    }

    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ json: StrictJSON, at path: String,
    ) -> Choice? where Choice.RawValue == String {
        if case .string(let name) = json, let choice = Choice(rawValue: name) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        report(path, "expected one of \(names), found \(json.found)")
        return nil
    }

    /// The time in seconds since 1970.
    private mutating func time(_ json: StrictJSON, at path: String) -> Int64? {
        if case .string(let text) = json, let seconds = RFC3339.seconds(text) { return seconds }
        report(path, "expected a time such as \"2026-12-31T00:00:00Z\", found \(json.found)")
        return nil
    }

    private mutating func list<Element>(
        _ json: StrictJSON, at path: String, _ read: (inout PolicyReader, StrictJSON, String) -> Element?,
    ) -> [Element] {
        guard case .array(let elements) = json, elements.count <= Self.listLimit else {
            report(path, "expected a list of at most \(Self.listLimit) elements")
            return []
        }
        var values: [Element] = []
        for (index, element) in elements.enumerated() {
            if let value = read(&self, element, "\(path)[\(index)]") { values.append(value) }
        }
        return values
    }

    private mutating func table<Value>(
        _ json: StrictJSON, at path: String, _ read: (inout PolicyReader, StrictJSON, String) -> Value?,
    ) -> ModeTable<Value?> {
        var members = object(json, at: path)
        var values: [Value?] = []
        for mode in Self.modes {
            values.append(take(&members, mode.rawValue).flatMap { read(&self, $0, "\(path).\(mode.rawValue)") })
        }
        reportUnknown(members, at: path)
        return ModeTable(full: values[0], normal: values[1], reduced: values[2], minimal: values[3])
    }

    /// The modes in the order of a table.
    private static var modes: [TelemetryMode] { [.full, .normal, .reduced, .minimal] }

    /// Reports a mode that collects or sends more than a mode above it.
    private mutating func reportOrder<Value>(
        _ table: ModeTable<Value?>, at path: String, _ relation: String, _ isInOrder: (Value, Value) -> Bool,
    ) {
        var above: (mode: TelemetryMode, value: Value)?
        for mode in Self.modes {
            guard let value = table[mode] else { continue }
            if let above, !isInOrder(value, above.value) {
                report("\(path).\(mode.rawValue)", "expected \(relation) the value of \(above.mode.rawValue)")
            }
            above = (mode, value)
        }
    }
}
