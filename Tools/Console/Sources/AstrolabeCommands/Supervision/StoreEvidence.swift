import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel
package import DeviceSimulator

/// Counts a scenario's records in the console's store.
package struct StoreEvidence: ScenarioEvidence {
    private let store: any TelemetryStore

    /// - Parameter store: A store that holds records of this scenario only.
    package init(_ store: any TelemetryStore) {
        self.store = store
    }

    package func changes() async -> AsyncStream<Void> { await store.changes().signals }

    package func count(_ expectation: TelemetryExpectation) async throws -> Int {
        var count = 0
        try await forEachItem(eventName: expectation.kind == .event ? expectation.name : nil) { item, origin in
            if expectation.matches(item, of: origin) { count += 1 }
        }
        return count
    }

    package func traces() async throws -> [[TracedSpan]] {
        var traces: [TraceID: [TracedSpan]] = [:]
        try await forEachItem { item, _ in
            guard case .span(let span) = item else { return }
            let trigger = span.attributes[AttributeKey.astrolabeRecorderTrigger]?.stringValue
            traces[span.traceID, default: []].append(TracedSpan(name: span.name, trigger: trigger))
        }
        return Array(traces.values)
    }

    package func witnessNumbers() async throws -> [UInt64: Int] {
        var counts: [UInt64: Int] = [:]
        try await forEachItem { item, _ in
            let attributes =
                switch item {
                case .span(let span): span.attributes
                case .event(let event): event.attributes
                }
            if let number = NotedRecord.number(in: attributes) { counts[number, default: 0] += 1 }
        }
        return counts
    }

    private func forEachItem(eventName: String? = nil, _ body: (TimelineItem, Origin?) -> Void) async throws {
        for session in try await store.sessions(SessionQuery(limit: 200)).elements {
            var query = TimelineQuery(session: session.id, limit: 5_000)
            query.eventName = eventName
            repeat {
                guard let page = try await store.timeline(query) else { break }
                for item in page.items { body(item, page.origins[item.origin]) }
                query.cursor = page.next
            } while query.cursor != nil
        }
    }
}

extension TelemetryExpectation {
    func matches(_ item: TimelineItem, of origin: Origin?) -> Bool {
        if let service, origin?.service != service { return false }
        switch (kind, item) {
        case (.span, .span(let span)):
            guard span.name == name, status == nil || status == span.status.name else { return false }
            return matches(span.attributes)
        case (.event, .event(let event)):
            guard event.name == name else { return false }
            return matches(event.attributes)
        default: return false
        }
    }

    private func matches(_ attributes: Attributes) -> Bool {
        self.attributes.allSatisfy { key, value in attributes[key].map { "\($0)" == value } ?? false }
    }
}

extension SpanRecord.StatusCode {
    fileprivate var name: String {
        switch self {
        case .unset: "unset"
        case .ok: "ok"
        case .error: "error"
        }
    }
}
