import AstrolabeTelemetryModel
package import ConsoleStore
package import DeviceSimulator

/// Counts a scenario's records in the console's store.
package struct StoreEvidence: ScenarioEvidence {
    private let store: TelemetryStore

    /// - Parameter store: A store that holds records of this scenario only.
    package init(_ store: TelemetryStore) {
        self.store = store
    }

    package func changes() async -> AsyncStream<Void> { await store.changes().signals }

    package func count(_ expectation: TelemetryExpectation) async throws -> Int {
        var count = 0
        for session in try await store.sessions(SessionQuery(limit: 200)).elements {
            var query = TimelineQuery(session: session.id, limit: 5_000)
            if expectation.kind == .event { query.eventName = expectation.name }
            repeat {
                guard let page = try await store.timeline(query) else { break }
                count += page.items.count { expectation.matches($0, of: page.origins[$0.origin]) }
                query.cursor = page.next
            } while query.cursor != nil
        }
        return count
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
