import Foundation
import NIOCore

@testable import ClickHouse
@testable import TelemetryQuery

/// A random record as the Collector's exporter stores it: attributes are text.
struct ExportedRecord {
    /// The record as the tables have it, for the oracle.
    let record: QueryRecord
    private let traceState: String

    private static let ofSpans: Set<String> = ["name", "duration", "status", "trace.id", "span.id", "parent.id"]
    private static let ofEvents: Set<String> = ["name", "severity", "body", "trace.id", "span.id"]

    init(_ random: QueryRecord, _ dataset: Dataset, _ index: Int, using numbers: inout SeededNumbers) {
        var fields = random.fields
        fields["span.id"] = .string("p\(index)")
        if dataset == .spans {
            if numbers.chance(60) { fields["parent.id"] = .string("p\(numbers.pick(Array(0..<60)))") }
        } else {
            fields["duration"] = nil
            fields["status"] = nil
            if numbers.chance(80) { fields["severity"] = .int(Int64.random(in: 1...24, using: &numbers)) }
            if numbers.chance(50) {
                fields["body"] = numbers.pick([.string("disk full"), .string("Grüße"), .string("7")])
            }
        }
        let own = dataset == .spans ? Self.ofSpans : Self.ofEvents
        for (name, value) in fields where !own.contains(name) {
            fields[name] = value.text.map { .string($0) }
        }
        // The exporter has no span without a status.
        if dataset == .spans, fields["status"] == nil { fields["status"] = .string("unset") }
        var weight = dataset == .spans ? random.adjustedCount : 1
        switch weight {
        case 0:
            traceState = ""
            let key = numbers.pick(["astrolabe.sampling.kept_by", "astrolabe.recorder.trigger"])
            fields[key] = .string("error")
        case 2: traceState = "vendor=th:c,ot=rv:1;th:8"
        case 8: traceState = "ot=th:e"
        default:
            weight = 1
            traceState = numbers.pick(["", "vendor=1", "ot=rv:2", "ot=th:0"])
        }
        record = QueryRecord(time: random.time, adjustedCount: weight, fields: fields.filter { !$0.value.isMissing })
    }

    static func insert(_ records: [ExportedRecord], _ dataset: Dataset, with client: ClickHouseClient) async throws {
        guard !records.isEmpty else { return }
        var writer = RowBinaryWriter()
        for record in records { record.write(dataset, to: &writer) }
        try await client.insert(into: dataset == .spans ? .traces : .logs, rows: writer.bytes, token: "all")
    }

    private func text(_ name: String) -> String { record.fields[name]?.text ?? "" }

    private func write(_ dataset: Dataset, to writer: inout RowBinaryWriter) {
        let own = dataset == .spans ? Self.ofSpans : Self.ofEvents
        let attributes = record.fields.filter { !own.contains($0.key) && !$0.key.hasPrefix("resource.") }
            .map { (FieldNames.rest(of: $0.key, after: "attribute.") ?? $0.key, $0.value.text ?? "") }
        let resource = record.fields.filter { $0.key.hasPrefix("resource.") }
            .map { (String($0.key.dropFirst(9)), $0.value.text ?? "") }
        func write(_ pairs: [(String, String)]) {
            writer.write(pairs) { writer, pair in
                writer.write(pair.0)
                writer.write(pair.1)
            }
        }
        writer.write(record.time)
        writer.write(text("trace.id"))
        writer.write(text("span.id"))
        if dataset == .spans {
            writer.write(text("parent.id"))
            writer.write(traceState)
            writer.write(text("name"))
            writer.write("Unspecified")
            writer.write(text("resource.service.name"))
            write(resource)
            writer.write("")
            writer.write("")
            write(attributes)
            writer.write(UInt64(record.fields["duration"]?.number ?? 0))
            writer.write(text("status").capitalized)
            writer.write("")
            // No events and links.
            for _ in 0..<7 { writer.write([String]()) { $0.write($1) } }
        } else {
            writer.write(UInt8(0))
            writer.write("")
            writer.write(UInt8(record.fields["severity"]?.number ?? 0))
            writer.write(text("resource.service.name"))
            writer.write(text("body"))
            writer.write("")
            write(resource)
            writer.write("")
            writer.write("")
            writer.write("")
            write([])
            write(attributes)
            writer.write(text("name"))
        }
    }
}

/// The related records of exported ones, looked up as plainly as possible.
struct ExportedRelations: RelatedRecords {
    private let records: [QueryRecord]
    private let spans: NaiveSpanRelations

    init(_ records: [QueryRecord], _ dataset: Dataset) {
        self.records = records
        spans = NaiveSpanRelations(spans: dataset == .spans ? records : [])
    }

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        guard relation == .session else { return spans.values(of: field, in: relation, key: key) }
        let own = session(key)
        // A record without a session has that of its trace, the least if there are several.
        let ofTrace = records.filter { $0.value(ofColumn: "trace.id").text == key }
            .compactMap { $0.value(ofField: "session.id", in: .spans).text }.min()
        let session = own.isEmpty ? ofTrace.map(self.session) ?? [] : own
        guard !session.isEmpty else { return [] }
        switch field {
        case "crashed": return [.bool(session.contains { $0.value(ofColumn: "name").text == "app.crash" })]
        case "spans": return [.int(Int64(session.count))]
        default: return []
        }
    }

    private func session(_ id: String) -> [QueryRecord] {
        records.filter { $0.value(ofField: "session.id", in: .spans).text == id }
    }
}
