import AstrolabeFuzz
import AstrolabeTelemetryModel

/// A description that another language can make too: every scalar is text, as `Scripts/otlp-conformance/canonical.py`
/// says.
enum Canonical: Hashable {
    case text(String)
    case list([Canonical])
    case object([String: Canonical])

    /// Takes what a JSON library read; `nil` if there is anything but text, arrays and objects.
    init?(json: Any) {
        switch json {
        case let text as String: self = .text(text)
        case let values as [Any]:
            let list = values.compactMap { Canonical(json: $0) }
            guard list.count == values.count else { return nil }
            self = .list(list)
        case let members as [String: Any]:
            let object = members.compactMapValues { Canonical(json: $0) }
            guard object.count == members.count else { return nil }
            self = .object(object)
        default: return nil
        }
    }

    /// The first difference between this and `other`, with its place.
    func difference(from other: Canonical, at path: String = "request") -> String? {
        switch (self, other) {
        case (.list(let left), .list(let right)):
            if left.count != right.count { return "\(path): \(left.count) elements against \(right.count)" }
            return zip(left, right).enumerated().lazy
                .compactMap { $0.element.0.difference(from: $0.element.1, at: "\(path)[\($0.offset)]") }.first
        case (.object(let left), .object(let right)):
            if left.keys != right.keys { return "\(path): \(left.keys.sorted()) against \(right.keys.sorted())" }
            return left.keys.sorted().lazy
                .compactMap { key in right[key].flatMap { left[key]?.difference(from: $0, at: "\(path).\(key)") } }
                .first
        default: return self == other ? nil : "\(path): \(self) against \(other)"
        }
    }
}

extension Canonical: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: Canonical...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, Canonical)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }

    init(_ number: some BinaryInteger) { self = .text(String(number)) }
    init(_ truth: Bool) { self = .text(truth ? "true" : "false") }
    init(bitsOf number: Double?) {
        guard let number else {
            self = "none"
            return
        }
        let hex = String(number.bitPattern, radix: 16)
        self = .text(String(repeating: "0", count: 16 - hex.count) + hex)
    }
}

extension Canonical {
    init(_ decoded: Decoded) {
        switch decoded {
        case .traces(let groups): self.init(groups) { Canonical($0) }
        case .logs(let groups): self.init(groups) { Canonical($0) }
        case .metrics(let groups): self.init(groups) { Canonical($0) }
        }
    }

    init<Record>(_ groups: [ResourceGroup<Record>], _ record: (Record) -> Canonical) {
        self = .list(
            groups.map { group in
                [
                    "resource": [
                        "attributes": Canonical(group.resource.attributes),
                        "dropped": Canonical(group.resource.droppedAttributesCount),
                    ],
                    "schemaUrl": .text(group.schemaURL),
                    "scopes": .list(
                        group.scopes.map { scope in
                            [
                                "scope": [
                                    "name": .text(scope.scope.name), "version": .text(scope.scope.version),
                                    "attributes": Canonical(scope.scope.attributes),
                                    "dropped": Canonical(scope.scope.droppedAttributesCount),
                                ],
                                "schemaUrl": .text(scope.schemaURL),
                                "records": .list(scope.records.map(record)),
                            ]
                        }
                    ),
                ]
            }
        )
    }

    init(_ attributes: Attributes) {
        self = .list(attributes.map { [.text($0.key), Canonical($0.value)] })
    }

    init(_ value: AttributeValue) {
        self =
            switch value {
            case .empty: ["empty"]
            case .string(let text): ["string", .text(text)]
            case .bool(let truth): ["bool", Canonical(truth)]
            case .int(let number): ["int", Canonical(number)]
            case .double(let number): ["double", Canonical(bitsOf: number)]
            case .bytes: ["bytes", .text(value.description)]
            case .array(let values): ["array", .list(values.map { Canonical($0) })]
            case .map(let attributes): ["map", Canonical(attributes)]
            }
    }

    init(_ span: SpanData) {
        let status: Canonical =
            switch span.status {
            case .unset: ["0", ""]
            case .ok: ["1", ""]
            case .error(let message): ["2", .text(message)]
            }
        self = [
            "traceId": .text(span.context.traceID.hex), "spanId": .text(span.context.spanID.hex),
            "parentSpanId": .text(span.parentSpanID.hex), "traceState": .text(span.context.traceState.header),
            "flags": Canonical(span.flags), "name": .text(span.name),
            "kind": Canonical(span.kind?.rawValue ?? 0), "start": Canonical(span.startTimeUnixNano),
            "end": Canonical(span.endTimeUnixNano), "attributes": Canonical(span.attributes),
            "droppedAttributes": Canonical(span.droppedAttributesCount),
            "events": .list(
                span.events.map { event in
                    [
                        "name": .text(event.name), "time": Canonical(event.timeUnixNano),
                        "attributes": Canonical(event.attributes), "dropped": Canonical(event.droppedAttributesCount),
                    ]
                }
            ),
            "droppedEvents": Canonical(span.droppedEventsCount),
            "links": .list(
                span.links.map { link in
                    [
                        "traceId": .text(link.context.traceID.hex), "spanId": .text(link.context.spanID.hex),
                        "traceState": .text(link.context.traceState.header),
                        "flags": Canonical(link.flags), "isRemote": Canonical(link.context.isRemote),
                        "attributes": Canonical(link.attributes), "dropped": Canonical(link.droppedAttributesCount),
                    ]
                }
            ),
            "droppedLinks": Canonical(span.droppedLinksCount), "status": status,
        ]
    }

    init(_ record: LogRecordData) {
        self = [
            "time": Canonical(record.timeUnixNano), "observed": Canonical(record.observedTimeUnixNano),
            "severity": [Canonical(record.severityNumber), .text(record.severityText)],
            "eventName": .text(record.eventName), "body": Canonical(record.body),
            "attributes": Canonical(record.attributes), "dropped": Canonical(record.droppedAttributesCount),
            "flags": Canonical(record.flags.rawValue), "traceId": .text(record.traceID.hex),
            "spanId": .text(record.spanID.hex),
        ]
    }

    init(_ metric: MetricData) {
        var described: [String: Canonical] = [
            "name": .text(metric.name), "description": .text(metric.description), "unit": .text(metric.unit),
            "metadata": Canonical(metric.metadata),
        ]
        switch metric.data {
        case .gauge(let points):
            described["kind"] = "gauge"
            described["points"] = .list(points.map { Canonical($0) })
        case .sum(let points, let temporality, let isMonotonic):
            described["kind"] = "sum"
            described["points"] = .list(points.map { Canonical($0) })
            described["temporality"] = Canonical(temporality?.rawValue ?? 0)
            described["monotonic"] = Canonical(isMonotonic)
        case .histogram(let points, let temporality):
            described["kind"] = "histogram"
            described["points"] = .list(points.map { Canonical($0) })
            described["temporality"] = Canonical(temporality?.rawValue ?? 0)
        case .exponentialHistogram(let points, let temporality):
            described["kind"] = "exponential_histogram"
            described["points"] = .list(points.map { Canonical($0) })
            described["temporality"] = Canonical(temporality?.rawValue ?? 0)
        case .summary(let points):
            described["kind"] = "summary"
            described["points"] = .list(points.map { Canonical($0) })
        case .unknown:
            described["kind"] = "unknown"
        }
        self = .object(described)
    }

    init(_ point: NumberPoint) {
        self = [
            "attributes": Canonical(point.attributes), "start": Canonical(point.startTimeUnixNano),
            "time": Canonical(point.timeUnixNano), "value": Canonical(point.value),
            "exemplars": Canonical(point.exemplars),
        ]
    }

    init(_ number: MetricNumber?) {
        self =
            switch number {
            case .int(let number)?: ["int", Canonical(number)]
            case .double(let number)?: ["double", Canonical(bitsOf: number)]
            case nil: "none"
            }
    }

    init(_ exemplars: [Exemplar]) {
        self = .list(
            exemplars.map { exemplar in
                [
                    "attributes": Canonical(exemplar.filteredAttributes), "time": Canonical(exemplar.timeUnixNano),
                    "value": Canonical(exemplar.value), "traceId": .text(exemplar.traceID.hex),
                    "spanId": .text(exemplar.spanID.hex),
                ]
            }
        )
    }

    init(_ point: ExponentialHistogramPoint) {
        self = [
            "attributes": Canonical(point.attributes), "start": Canonical(point.startTimeUnixNano),
            "time": Canonical(point.timeUnixNano), "count": Canonical(point.count),
            "sum": Canonical(bitsOf: point.sum), "min": Canonical(bitsOf: point.min),
            "max": Canonical(bitsOf: point.max), "scale": Canonical(point.scale),
            "zero": [Canonical(point.zeroCount), Canonical(bitsOf: point.zeroThreshold)],
            "positive": Canonical(point.positive), "negative": Canonical(point.negative),
            "exemplars": Canonical(point.exemplars),
        ]
    }

    init(_ buckets: ExponentialHistogramPoint.Buckets) {
        self = [Canonical(buckets.offset), .list(buckets.counts.map { Canonical($0) })]
    }

    init(_ point: SummaryPoint) {
        self = [
            "attributes": Canonical(point.attributes), "start": Canonical(point.startTimeUnixNano),
            "time": Canonical(point.timeUnixNano), "count": Canonical(point.count), "sum": Canonical(bitsOf: point.sum),
            "quantiles": .list(
                point.quantiles.map { [Canonical(bitsOf: $0.quantile), Canonical(bitsOf: $0.value)] }
            ),
        ]
    }

    init(_ point: HistogramPoint) {
        self = [
            "attributes": Canonical(point.attributes), "start": Canonical(point.startTimeUnixNano),
            "time": Canonical(point.timeUnixNano), "count": Canonical(point.count),
            "sum": Canonical(bitsOf: point.sum), "min": Canonical(bitsOf: point.min),
            "max": Canonical(bitsOf: point.max), "buckets": .list(point.bucketCounts.map { Canonical($0) }),
            "bounds": .list(point.explicitBounds.map { Canonical(bitsOf: $0) }),
            "exemplars": Canonical(point.exemplars),
        ]
    }
}
