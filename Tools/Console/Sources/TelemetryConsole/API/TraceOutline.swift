import AstrolabeTelemetryModel
import ConsoleModel

/// A trace in numbers: the services, names and spans that have its time and its errors.
struct TraceOutline {
    /// The maximum number of entries of each list.
    private static let length = 20

    /// The spans of a service, or of a name within one.
    struct Group {
        let service: String
        let name: String
        /// The longest of the spans.
        var longest: TraceNode
        var spans = 0
        var failures = 0
        /// The part of the critical path that is in these spans, in nanoseconds.
        var criticalNano: UInt64 = 0

        mutating func add(_ node: TraceNode) {
            spans += 1
            if node.span.isFailure { failures += 1 }
            criticalNano = criticalNano.clampedSum(node.criticalNano)
            if node.span.durationNano > longest.span.durationNano { longest = node }
        }
    }

    /// The services with the most spans.
    let services: [Group]
    /// The names with the longest spans.
    let names: [Group]
    /// The first spans without a parent.
    let roots: [TraceNode]
    /// The spans with most of the critical path.
    let critical: [TraceNode]
    /// The first spans that failed themselves.
    let failures: [TraceNode]

    init(_ trace: TraceDetail) {
        let services = Self.groups(trace) { _ in "" }.sorted { $0.spans > $1.spans }
        let names = Self.groups(trace, by: \.span.name).sorted {
            $0.longest.span.durationNano > $1.longest.span.durationNano
        }
        let critical = trace.spans.filter { $0.criticalNano > 0 }.sorted { $0.criticalNano > $1.criticalNano }
        self.services = Array(services.prefix(Self.length))
        self.names = Array(names.prefix(Self.length))
        self.critical = Array(critical.prefix(Self.length))
        roots = Array(trace.spans.lazy.filter { $0.parent == nil }.prefix(Self.length))
        failures = Array(trace.spans.lazy.filter(\.span.isFailure).prefix(Self.length))
    }

    private struct Key: Hashable {
        let service: String
        let name: String
    }

    private static func groups(_ trace: TraceDetail, by name: (TraceNode) -> String) -> [Group] {
        var groups: [Key: Group] = [:]
        var order: [Key] = []
        for node in trace.spans {
            let key = Key(service: trace.origins[node.span.origin]?.service ?? "", name: name(node))
            if groups[key] == nil { order.append(key) }
            groups[key, default: Group(service: key.service, name: key.name, longest: node)].add(node)
        }
        return order.compactMap { groups[$0] }
    }
}

extension JSONText {
    /// The length at which a name in an outline ends. The span itself has all of it.
    private static let longestName = 200

    mutating func append(_ outline: TraceOutline, of trace: TraceDetail, since start: UInt64) {
        object { text in
            text.member("spans", trace.spans.count)
            text.member("events", trace.events.count)
            text.member("failures", trace.spans.count { $0.span.isFailure })
            text.member("truncated", trace.isTruncated)
            text.member("sessions") { $0.array(trace.sessions) { $0.append($1) } }
            text.member("services") { $0.array(outline.services) { $0.append($1) } }
            text.member("roots") { $0.array(outline.roots) { $0.append(brief: $1, of: trace, start) } }
            text.member("criticalPath") { $0.array(outline.critical) { $0.append(brief: $1, of: trace, start) } }
            text.member("failed") { $0.array(outline.failures) { $0.append(brief: $1, of: trace, start) } }
            text.member("names") { $0.array(outline.names) { $0.append($1) } }
        }
    }

    private mutating func append(_ group: TraceOutline.Group) {
        object { text in
            text.member("service", String(group.service.prefix(Self.longestName)))
            if !group.name.isEmpty { text.member("name", String(group.name.prefix(Self.longestName))) }
            text.member("spans", group.spans)
            text.member("failures", group.failures)
            text.member("criticalNs", group.criticalNano)
            text.member("longestNs", group.longest.span.durationNano)
            text.member("longestSpanId", group.longest.span.spanID.hex)
        }
    }

    private mutating func append(brief node: TraceNode, of trace: TraceDetail, _ start: UInt64) {
        object { text in
            text.member("spanId", node.span.spanID.hex)
            text.member("service", String((trace.origins[node.span.origin]?.service ?? "").prefix(Self.longestName)))
            text.member("name", String(node.span.name.prefix(Self.longestName)))
            text.member("offsetNs", node.startUnixNano.clampedDifference(start))
            text.member("durationNs", node.span.durationNano)
            text.member("criticalNs", node.criticalNano)
            text.member("depth", node.depth)
            text.member("descendants", node.descendants)
            if node.isOrphan { text.member("orphan", true) }
        }
    }
}
