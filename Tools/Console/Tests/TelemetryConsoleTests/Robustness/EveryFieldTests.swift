import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

/// Every field of OTLP that is sent can be read on the pages' API.
///
/// The fields and their values come from the protobuf definition: see `EveryField`. A field that this suite does not
/// know fails.
@Suite(ConformanceScript.needsPython)
struct EveryFieldTests {
    @Test(arguments: [
        ("traces", "traces/15151515151515151515151515151515"), ("logs", "traces/22222222222222222222222222222222"),
        ("logs", "logs"),
        ("metrics", "metrics?series=200&points=1000"),
    ])
    func `every field is read as it was sent`(_ signal: String, _ path: String) async throws {
        let request = try #require(try EveryField.requests()[signal])
        try await ConsoleUnderTest.run { subject in
            let sent = try await HTTP.request(
                "POST", subject.address + "/v1/\(signal)", headers: ["Content-Type": "application/x-protobuf"],
                body: request.body,
            )
            #expect(sent.status == 200)
            let page = try await HTTP.request("GET", subject.address + "/api/v1/\(path)")
            let read = try #require(Leaves(String(decoding: page.body, as: UTF8.self)))
            for field in request.keptFields {
                let place = try #require(FieldMap.place(of: field[0], on: path), "no page shows \(field[0])")
                let value = FieldMap.values["\(field[0])=\(field[1])"] ?? field[1].lowercased()
                let found = read.values[place, default: []].map { $0.lowercased() }
                #expect(found.contains(value), "\(field[0]) = \(field[1]) is not in \(place): \(found)")
            }
        }
    }
}

/// The places of OTLP's fields in the API.
private enum FieldMap {
    /// The place of each message. A longer path goes before a shorter one.
    private static let messages: [(path: String, place: String)] = [
        ("resource_spans.scope_spans.spans.events.", "spans.details.events."),
        ("resource_spans.scope_spans.spans.links.", "spans.details.links."),
        ("resource_spans.scope_spans.spans.", "spans."),
        ("resource_spans.scope_spans.scope.", "scopes."), ("resource_spans.scope_spans.", "scopes."),
        ("resource_spans.resource.", "origins."), ("resource_spans.", "origins."),
        ("resource_logs.scope_logs.log_records.", "events."), ("resource_logs.scope_logs.scope.", "scopes."),
        ("resource_logs.scope_logs.", "scopes."), ("resource_logs.resource.", "origins."),
        ("resource_logs.", "origins."),
        ("resource_metrics.scope_metrics.metrics.", "metrics."),
        ("resource_metrics.scope_metrics.scope.", "metrics.series.scope."),
        ("resource_metrics.scope_metrics.", "metrics.series.scope."),
        ("resource_metrics.resource.attributes/", "metrics.series.resource."),
        ("resource_metrics.resource.", "metrics.series."), ("resource_metrics.", "metrics.series."),
    ]

    /// Fields whose place has another name.
    private static let fields: [(field: String, place: String)] = [
        ("spans.trace_id", "traceId"), ("spans.parent_span_id", "spans.parentId"),
        ("spans.trace_state", "spans.details.state"), ("links.trace_state", "spans.details.links.state"),
        ("spans.dropped_attributes_count", "spans.details.droppedAttributes"),
        ("spans.dropped_events_count", "spans.details.droppedEvents"),
        ("spans.dropped_links_count", "spans.details.droppedLinks"), ("status.message", "spans.details.message"),
        ("status.code", "spans.error"), ("log_records.severity_number", "events.severity"),
        ("log_records.event_name", "events.name"), ("aggregation_temporality", "metrics.series.cumulative"),
        ("is_monotonic", "metrics.series.monotonic"), ("exemplars.as_int", "metrics.series.points.exemplars.value"),
        ("exemplars.as_double", "metrics.series.points.exemplars.value"),
        ("exemplars.time_unix_nano", "metrics.series.points.exemplars.time"),
        ("data_points.as_int", "metrics.series.points.exact"),
        ("data_points.as_double", "metrics.series.points.value"), ("data_points.count", "metrics.series.points.count"),
        ("data_points.start_time_unix_nano", "metrics.series.points.start"),
        ("data_points.time_unix_nano", "metrics.series.points.time"),
        ("data_points.bucket_counts", "metrics.series.points.contents.counts"),
        ("data_points.explicit_bounds", "metrics.series.points.contents.bounds"),
        ("positive.bucket_counts", "metrics.series.points.contents.positive.counts"),
        ("negative.bucket_counts", "metrics.series.points.contents.negative.counts"),
        ("positive.offset", "metrics.series.points.contents.positive.offset"),
        ("negative.offset", "metrics.series.points.contents.negative.offset"),
        ("quantile_values.quantile", "metrics.series.points.contents.quantiles"),
        ("quantile_values.value", "metrics.series.points.contents.quantiles"),
    ]

    /// Messages within metrics, of which there are several kinds.
    private static let parts: [(part: String, place: String)] = [
        ("exemplars.filtered_attributes/", "metrics.series.points.exemplars.attributes."),
        ("exemplars.", "metrics.series.points.exemplars."), ("data_points.attributes/", "metrics.series.attributes."),
        ("metrics.metadata/", "metrics.series.metadata."),
        ("data_points.", "metrics.series.points.contents."),
    ]

    /// Values that the API has in words.
    static let values = [
        "resource_spans.scope_spans.spans.kind=3": "client",
        "resource_spans.scope_spans.spans.status.code=2": "true",
    ].merging(
        ["sum", "histogram", "exponential_histogram"].map {
            ("resource_metrics.scope_metrics.metrics.\($0).aggregation_temporality=2", "true")
        }, uniquingKeysWith: { first, _ in first })

    static func place(of field: String, on page: String) -> String? {
        guard let place = place(of: field), page == "logs" else { return place(of: field) }
        return place.replacing(/^events\./, with: "logs.").replacing(/^traceId$/, with: "logs.traceId")
    }

    private static func place(of path: String) -> String? {
        if let field = fields.first(where: { path.hasSuffix(".\($0.field)") }) { return field.place }
        if path.hasPrefix("resource_metrics.") {
            for (part, place) in parts {
                if let range = path.range(of: part) { return place + name(path[range.upperBound...]) }
            }
        }
        return messages.first { path.hasPrefix($0.path) }.map { $0.place + name(path.dropFirst($0.path.count)) }
    }

    /// `dropped_attributes_count` as `droppedAttributes`. The keys of attributes stay.
    private static func name(_ field: Substring) -> String {
        let parts = field.split(separator: "/", maxSplits: 1)
        guard parts.count == 1, !field.hasSuffix("_value"), !field.hasSuffix("_value.k") else {
            return parts.joined(separator: ".")
        }
        var words = field.split(separator: "_")
        if words.suffix(2) == ["unix", "nano"] { words.removeLast(2) }
        if words.count == 2, words[1] == "time" { words.removeLast() }
        if words.first == "dropped" { words.removeLast() }
        return words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
    }
}

/// The values in a JSON text by path, without the positions in arrays.
private struct Leaves {
    private(set) var values: [String: [String]] = [:]

    init?(_ json: String) {
        guard let members = JSONText.attributes(in: json) else { return nil }
        add(.map(members), "")
        addTimes(of: members)
    }

    private mutating func add(_ value: AttributeValue, _ path: String) {
        switch value {
        case .map(let members):
            for member in members { add(member.value, path.isEmpty ? member.key : "\(path).\(member.key)") }
            for name in ["time", "start", "observed"] {
                guard let microseconds = members["\(name)Us"]?.intValue else { continue }
                let time = microseconds * 1_000 + (members["\(name)Ns"]?.intValue ?? 0)
                values[path.isEmpty ? name : "\(path).\(name)", default: []].append(String(time))
            }
        case .array(let elements): for element in elements { add(element, path) }
        case .string(let text): values[path, default: []].append(text)
        case .bool(let truth): values[path, default: []].append(String(truth))
        case .int(let number): values[path, default: []].append(String(number))
        case .double(let number): values[path, default: []].append(String(number))
        case .bytes(let bytes):
            values[path, default: []].append(
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        case .empty: break
        }
    }

    /// Adds the times of a trace's spans, which are offsets in the API.
    private mutating func addTimes(of page: Attributes) {
        guard let start = values["start"]?.first.flatMap(Int64.init) else { return }
        for span in page["spans"]?.elements ?? [] {
            let members = span.members ?? [:]
            let spanStart = start + (members["offsetNs"]?.intValue ?? 0)
            values["spans.start", default: []].append(String(spanStart))
            values["spans.end", default: []].append(String(spanStart + (members["durationNs"]?.intValue ?? 0)))
            for event in members["details"]?.members?["events"]?.elements ?? [] {
                let time = spanStart + (event.members?["offset"]?.intValue ?? 0)
                values["spans.details.events.time", default: []].append(String(time))
            }
        }
    }
}
