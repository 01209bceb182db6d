package import TelemetryQuery

/// Computes a map of services span by span. It defines what is right. Percentiles are exact.
package struct NaiveServiceMap {
    package static func evaluate(
        _ time: TimeRange, now: Int64, over records: [QueryRecord],
    ) throws(QueryError) -> ServiceMap {
        let window = try TimeWindow(time, .total, now: now)
        let values = NaiveValues(dataset: .spans)
        func text(_ field: String, _ record: QueryRecord) -> String? { values.text(field, in: record) }
        func numbers(_ records: [QueryRecord]) -> CallNumbers {
            let weight = records.reduce(0) { $0 + $1.adjustedCount }
            let durations = records.compactMap { record in
                values.number(ofColumnsOf: "duration", in: record).map { ($0, record.adjustedCount) }
            }
            return CallNumbers(
                count: weight,
                errors: records.filter { text("status", $0) == "error" }.reduce(0) { $0 + $1.adjustedCount },
                p99: NaiveEvaluator.percentile(0.99, of: durations))
        }
        func isDevice(_ record: QueryRecord) -> Bool {
            ["app.installation.id", "device.model.identifier", "device.model.name", "device.manufacturer"]
                .contains { text("resource." + $0, record) != nil }
        }
        /// The host and the port of a span, of its URL if it has no address.
        func place(_ record: QueryRecord) -> [String?] {
            if let host = text("server.address", record) { return [host, text("server.port", record)] }
            func part(_ pattern: String) -> String? {
                values.value(of: .extract(.field("url.full"), pattern: pattern), in: record).text
            }
            let host = part("^[^/]+://(?:[^/?#]*@)?([^/?#:@]+)")
            return [host, host == nil ? nil : part("^[^/]+://[^/?#]*:([0-9]+)(?:[/?#]|$)")]
        }
        let spans = records.filter { window.contains($0.time) && text("service.name", $0) != nil }
        let servers = spans.filter { ["server", "consumer"].contains(text("kind", $0) ?? "") }
        var callees: [String: String] = [:]
        for span in servers {
            if let parent = text("parent.id", span) { callees[parent] = text("service.name", span) }
        }

        typealias Edge = (from: String, to: String, kind: ServiceNode.Kind, span: QueryRecord)
        var edges: [Edge] = []
        var lost: [(address: [String?], span: QueryRecord)] = []
        var reached: [[String?]: [String]] = [:]
        var found = 0
        for span in spans {
            let service = text("service.name", span) ?? ""
            let isClient = ["client", "producer"].contains(text("kind", span) ?? "")
            let address: [String?] = [service] + place(span)
            if let callee = text("span.id", span).flatMap({ callees[$0] }) {
                found += 1
                if callee == service { continue }
                edges.append((service, callee, .service, span))
                if isClient, address[1] != nil { reached[address, default: []].append(callee) }
            } else if isClient, let database = text("db.system.name", span) {
                edges.append((service, database, .database, span))
            } else if isClient, address[1] != nil {
                lost.append((address, span))
            }
        }
        for (address, span) in lost {
            let counts = Dictionary(grouping: reached[address] ?? []) { $0 }.mapValues(\.count)
            let service = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.first?.key
            edges.append((address[0] ?? "", service ?? address[1] ?? "", service == nil ? .host : .service, span))
        }
        var nodes = Set(spans.compactMap { text("service.name", $0) }).map { name in
            ServiceNode(
                name: name,
                kind: spans.contains {
                    text("service.name", $0) == name && isDevice($0)
                }
                    ? .device : .service, handled: numbers(servers.filter { text("service.name", $0) == name }),
                made: numbers(edges.filter { $0.from == name }.map(\.span)))
        }
        for kind in [ServiceNode.Kind.database, .host] {
            for (name, edges) in Dictionary(grouping: edges.filter { $0.kind == kind }, by: \.to) {
                nodes.append(
                    ServiceNode(name: name, kind: kind, handled: numbers(edges.map(\.span)), made: CallNumbers()))
            }
        }
        let grouped = Dictionary(grouping: edges) { [$0.from, $0.to, $0.kind.rawValue] }
        return ServiceMap(
            window: window, nodes: nodes.sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) },
            edges: grouped.values.map {
                ServiceEdge(from: $0[0].from, to: $0[0].to, toKind: $0[0].kind, calls: numbers($0.map(\.span)))
            }.sorted { ($0.from, $0.to, $0.toKind.rawValue) < ($1.from, $1.to, $1.toKind.rawValue) },
            spansWithoutCaller: max(0, callees.count - found))
    }
}
