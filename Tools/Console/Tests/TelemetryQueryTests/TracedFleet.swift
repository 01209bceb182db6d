import AstrolabeTelemetryModel

@testable import TelemetryQuery

/// Traces of phones, and of the backends that they ask. Most records of backends name no session.
///
/// Attributes are texts, as the tables of ClickHouse have them. Of amounts, both stores read the number only.
struct TracedFleet {
    private(set) var spans: [ResourceGroup<SpanData>] = []
    private(set) var logs: [ResourceGroup<LogRecordData>] = []

    init() {}

    init(using random: inout SeededNumbers) {
        for trace in 1...UInt64.random(in: 1...15, using: &random) {
            // A session may end while a trace goes on.
            let sessions = ["s\(trace % 6)"] + (random.chance(20) ? ["s\(trace % 6 + 1)"] : [])
            let hasPhone = random.chance(85)
            let count = UInt64.random(in: 1...8, using: &random)
            for number in 1...count {
                let isPhone = hasPhone && (number == 1 || random.chance(50))
                let session = isPhone || (hasPhone && random.chance(10)) ? random.pick(sessions) : nil
                let resource = Self.resource(isPhone ? session : nil, using: &random)
                let parent = number > 1 && random.chance(85) ? UInt64.random(in: 1...count, using: &random) : 0
                let ids = (trace: trace, span: trace * 100 + number, parent: parent > 0 ? trace * 100 + parent : 0)
                let isRequest = isPhone && random.chance(40)
                add(Self.span(ids, session, isRequest: isRequest, using: &random), resource)
                if random.chance(50) { add(Self.log(ids, session, using: &random), resource) }
            }
        }
    }

    mutating func add(_ span: SpanData, _ resource: Resource) {
        let scope = ScopeGroup(scope: InstrumentationScope(name: "tests"), records: [span])
        spans.append(ResourceGroup(resource: resource, scopes: [scope]))
    }

    private mutating func add(_ log: LogRecordData, _ resource: Resource) {
        let scope = ScopeGroup(scope: InstrumentationScope(name: "tests"), records: [log])
        logs.append(ResourceGroup(resource: resource, scopes: [scope]))
    }

    /// The resource of the phone of a session, or that of a backend.
    private static func resource(_ session: String?, using random: inout SeededNumbers) -> Resource {
        guard let session else { return Resource(attributes: ["service.name": "shop", "os.name": "linux"]) }
        let version = random.pick(["17", "18"])
        return Resource(attributes: [
            "service.name": "app", "os.name": "iOS", "os.version": version,
            "model": "iPhone \(session)", "app.installation.id": "installation \(session)",
        ])
    }

    private static func span(
        _ ids: (trace: UInt64, span: UInt64, parent: UInt64), _ session: String?, isRequest: Bool,
        using random: inout SeededNumbers,
    ) -> SpanData {
        let record = RandomRecords.record(using: &random)
        var attributes = attributes(of: record, session, using: &random)
        if isRequest { attributes.setAttribute("http.request.method", "GET") }
        let start = UInt64(record.time)
        let status: SpanStatus =
            switch record.fields["status"]?.text {
            case "ok": .ok
            case "error": .error("")
            default: .unset
            }
        return SpanData(
            context: SpanContext(traceID: TraceID(high: 1, low: ids.trace), spanID: SpanID(ids.span)),
            parentSpanID: SpanID(ids.parent), name: name(of: record, using: &random),
            kind: isRequest ? .client : .internal, startTimeUnixNano: start,
            endTimeUnixNano: start + UInt64(record.fields["duration"]?.number ?? 0), attributes: attributes,
            status: status)
    }

    private static func log(
        _ ids: (trace: UInt64, span: UInt64, parent: UInt64), _ session: String?,
        using random: inout SeededNumbers,
    ) -> LogRecordData {
        let record = RandomRecords.record(using: &random)
        let hasTrace = session == nil || random.chance(80)
        return LogRecordData(
            timeUnixNano: UInt64(record.time), severityNumber: Int32.random(in: 0...24, using: &random),
            eventName: name(of: record, using: &random), body: random.pick([.empty, "disk full"]),
            attributes: attributes(of: record, session, using: &random),
            traceID: hasTrace ? TraceID(high: 1, low: ids.trace) : .invalid,
            spanID: hasTrace ? SpanID(ids.span) : .invalid)
    }

    private static func name(of record: QueryRecord, using random: inout SeededNumbers) -> String {
        guard random.chance(30) else { return record.fields["name"]?.text ?? "work" }
        return random.pick(["app.crash", "astrolabe.hang", "order.placed", "checkout.started"])
    }

    /// The fields of a random record that are no attributes here. Statuses of HTTP would be numbers to one store and
    /// texts to the other.
    private static let left: Set<String> = [
        "name", "duration", "status", "session.id", "trace.id", "http.response.status_code", "http.status_code",
    ]

    private static func attributes(
        of record: QueryRecord, _ session: String?, using random: inout SeededNumbers,
    ) -> Attributes {
        var attributes = Attributes()
        for (key, value) in record.fields.sorted(by: { $0.key < $1.key }) where !left.contains(key) {
            guard !key.hasPrefix("resource."), let text = value.text else { continue }
            attributes.setAttribute(FieldNames.rest(of: key, after: "attribute.") ?? key, text)
        }
        if random.chance(30) {
            attributes.setAttribute("app.screen.name", random.pick(["begin_checkout", "Checkout", "ProductList"]))
        }
        if random.chance(30) { attributes.setAttribute("order.amount", random.pick([2.5, 10, 0.25])) }
        if random.chance(10) {
            attributes.setAttribute("astrolabe.recorder.trigger", random.pick(["crash", "error"]))
        }
        if let session { attributes.setAttribute("session.id", session) }
        return attributes
    }
}
