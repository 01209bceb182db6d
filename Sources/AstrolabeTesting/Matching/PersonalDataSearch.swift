import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel

/// Finds values that may not be recorded in the texts of a record.
struct PersonalDataSearch {
    private let values: [(value: String, folded: String)]
    private let redactor: Redactor

    init(values: [String], options: RedactionOptions = RedactionOptions()) {
        self.values = values.filter { !$0.isEmpty }.map { ($0, $0.lowercased()) }
        var options = options
        options.isEnabled = true
        redactor = Redactor(options)
    }

    /// One sentence for each place.
    func findings(in span: Collected<SpanData>) -> [String] {
        let place = "span \(span.name.quoted)"
        var findings = check(span.name, "\(place), name")
        findings += check(span.attributes, place)
        if case .error(let text) = span.status { findings += check(text, "\(place), status") }
        for event in span.record.events {
            findings += check(event.name, "\(place), event \(event.name.quoted), name")
            findings += check(event.attributes, "\(place), event \(event.name.quoted)")
        }
        for link in span.links { findings += check(link.attributes, "\(place), link") }
        return findings + check(span.resource.attributes, "resource")
    }

    func findings(in event: Collected<LogRecordData>) -> [String] {
        let place = event.eventName.isEmpty ? "log record" : "event \(event.eventName.quoted)"
        return check(event.eventName, "\(place), name") + check(event.body, key: "", "\(place), body")
            + check(event.attributes, place) + check(event.resource.attributes, "resource")
    }

    func findings(in metric: Collected<MetricData>) -> [String] {
        let place = "metric \(metric.name.quoted)"
        let points: [Attributes] =
            switch metric.data {
            case .gauge(let points), .sum(let points, _, _): points.map(\.attributes)
            case .histogram(let points, _): points.map(\.attributes)
            case .exponentialHistogram(let points, _): points.map(\.attributes)
            case .summary(let points): points.map(\.attributes)
            case .unknown: []
            }
        return check(metric.name, "\(place), name") + points.flatMap { check($0, place) }
            + check(metric.resource.attributes, "resource")
    }

    private func check(_ attributes: Attributes, _ place: String) -> [String] {
        attributes.flatMap { check($0.key, "\(place), key") + check($0.value, key: $0.key, "\(place), \($0.key)") }
    }

    private func check(_ value: AttributeValue, key: String, _ place: String) -> [String] {
        switch value {
        case .empty, .bool: []
        case .string(let text): check(text, key: key, place)
        case .int, .double: check(value.description, key: key, place)
        case .bytes(let bytes): check(String(decoding: bytes, as: UTF8.self), key: key, place)
        case .array(let values): values.flatMap { check($0, key: key, place) }
        case .map(let values): values.flatMap { check($0.value, key: $0.key, "\(place).\($0.key)") }
        }
    }

    private func check(_ text: String, key: String = "", _ place: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let folded = text.lowercased()
        let known = values.filter { folded.contains($0.folded) }.map { "\(place) has \($0.value.quoted)" }
        if !known.isEmpty { return known }
        return redactor.redacted(text, key: key) == text ? [] : ["\(place) has what must be redacted: \(text.quoted)"]
    }
}
