import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel

/// Searches by the ids of records.
extension ClickHouseStore {
    private static let installation = "ResourceAttributes['\(AttributeKey.appInstallationID)']"
    private static let spanTable = OTelTable.traces.rawValue
    private static let logTable = OTelTable.logs.rawValue

    package func records(withID text: String) async throws(StoreError) -> [FoundRecord] {
        let words = SearchTerms.words(text)
        guard words.count == 1, let id = RecordID(words[0]) else { return [] }
        return try await records(id)
    }

    /// Returns the records of the words of a search that are ids, by the word.
    func recordsByWord(_ text: String) async throws(StoreError) -> [String: [FoundRecord]] {
        var records: [String: [FoundRecord]] = [:]
        for word in SearchTerms.words(text).prefix(SearchTerms.countLimit) {
            guard let id = RecordID(word) else { continue }
            let found = try await self.records(id)
            if !found.isEmpty { records[word] = found }
        }
        return records
    }

    private func records(_ id: RecordID) async throws(StoreError) -> [FoundRecord] {
        var found: [FoundRecord] = []
        if let trace = id.trace {
            var statement = Statement()
            let condition = "TraceId = \(statement.bind(trace.hex))"
            if try await hasRecords(spans: condition, logs: condition, statement) { found.append(.trace(trace)) }
        }
        if let span = id.span { found += try await traces(of: span).map { FoundRecord.span(span, trace: $0) } }
        if let session = id.session {
            var statement = Statement()
            let (spans, logs) = Self.condition(sessions: [session], in: &statement)
            if try await hasRecords(spans: spans, logs: logs, statement) { found.append(.session(session)) }
        }
        if let device = id.installation {
            var statement = Statement()
            let condition = "\(Self.installation) = \(statement.bind(device))"
            if try await hasRecords(spans: condition, logs: condition, statement) { found.append(.device(device)) }
        }
        return found
    }

    private func hasRecords(spans: String, logs: String, _ parameters: Statement) async throws(StoreError) -> Bool {
        var statement = parameters
        statement.text = """
            SELECT toUInt64(count()) FROM (SELECT 1 FROM \(Self.spanTable) WHERE \(spans) LIMIT 1 \
            UNION ALL SELECT 1 FROM \(Self.logTable) WHERE \(logs) LIMIT 1)
            """
        let asked = statement
        let counts = try await asking { try await self.client.rows(asked) { try $0.integer(UInt64.self) } }
        return counts.contains { $0 > 0 }
    }

    private func traces(of span: SpanID) async throws(StoreError) -> [TraceID] {
        var statement = Statement()
        statement.text = """
            SELECT DISTINCT TraceId FROM \(Self.spanTable) \
            WHERE SpanId = \(statement.bind(span.hex)) AND TraceId != '' LIMIT 10
            """
        let asked = statement
        let traces = try await asking { try await self.client.rows(asked) { try $0.string() } }
        return traces.compactMap { TraceID(hex: $0) }
    }

    /// SQL of whether a row of a list belongs to one of some records.
    static func isOf(_ records: [FoundRecord], in list: SearchedList, _ statement: inout Statement) -> String {
        var tests: [String] = []
        for record in records {
            switch list {
            case .logs: tests.append(isLog(of: record, &statement))
            case .traces: tests.append(isTrace(of: record, &statement))
            case .sessions: tests.append(isSession(of: record, &statement))
            case .devices: tests.append(isDevice(of: record, &statement))
            }
        }
        return "(\(tests.joined(separator: " OR ")))"
    }

    private static func isLog(of record: FoundRecord, _ statement: inout Statement) -> String {
        switch record {
        case .trace(let trace): return "TraceId = \(statement.bind(trace.hex))"
        case .span(let span, let trace):
            return "(TraceId = \(statement.bind(trace.hex)) AND SpanId = \(statement.bind(span.hex)))"
        case .session(let session): return "(\(condition(sessions: [session], in: &statement).logs))"
        case .device(let device): return "\(installation) = \(statement.bind(device))"
        }
    }

    /// A condition on spans, which all spans of a trace fulfil.
    private static func isTrace(of record: FoundRecord, _ statement: inout Statement) -> String {
        switch record {
        case .trace(let trace), .span(_, let trace): return "TraceId = \(statement.bind(trace.hex))"
        case .session(let session):
            let condition = condition(sessions: [session], in: &statement).spans
            return "TraceId IN (SELECT TraceId FROM \(spanTable) WHERE \(condition))"
        case .device(let device):
            return "TraceId IN (SELECT TraceId FROM \(spanTable) WHERE \(installation) = \(statement.bind(device)))"
        }
    }

    private static func isSession(of record: FoundRecord, _ statement: inout Statement) -> String {
        switch record {
        case .trace(let trace), .span(_, let trace):
            let id = statement.bind(trace.hex)
            return """
                session IN (SELECT \(RecordSource.session(attributes: "SpanAttributes")) FROM \(spanTable) \
                WHERE TraceId = \(id) UNION DISTINCT SELECT \(RecordSource.session(attributes: "LogAttributes")) \
                FROM \(logTable) WHERE TraceId = \(id))
                """
        case .session(let session): return "session = \(statement.bind(session))"
        case .device(let device): return "\(installation) = \(statement.bind(device))"
        }
    }

    private static func isDevice(of record: FoundRecord, _ statement: inout Statement) -> String {
        switch record {
        case .trace(let trace), .span(_, let trace):
            return "id IN (SELECT \(installation) FROM \(spanTable) WHERE TraceId = \(statement.bind(trace.hex)))"
        case .session(let session):
            let condition = condition(sessions: [session], in: &statement)
            return """
                id IN (SELECT \(installation) FROM \(spanTable) WHERE \(condition.spans) \
                UNION DISTINCT SELECT \(installation) FROM \(logTable) WHERE \(condition.logs))
                """
        case .device(let device): return "id = \(statement.bind(device))"
        }
    }
}
