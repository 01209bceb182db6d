import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension JSONText {
    /// The size in bytes at which a list of records ends.
    private static let longestRecords = 8 << 20
    private static let mostAttributes = 50
    private static let mostSkipped = 200

    mutating func append(_ answer: QuerySource.Differences) {
        object { text in
            text.member("query", answer.query.description)
            text.member("selection", answer.selection.description)
            text.append(boundsOf: answer.window)
            text.member("selected") { $0.append(result: answer.result.selected) }
            text.member("rest") { $0.append(result: answer.result.rest) }
            text.member("selectedSize") { $0.append(result: answer.result.selectedSize) }
            text.member("restSize") { $0.append(result: answer.result.restSize) }
            let lists: [(StaticString, isPresence: Bool)] = [("attributes", false), ("presence", true)]
            for (name, isPresence) in lists {
                let attributes = answer.result.attributes.filter { $0.isPresence == isPresence }
                text.member(name) { $0.array(attributes.prefix(Self.mostAttributes)) { $0.append($1) } }
            }
            text.member("skipped") { $0.array(answer.result.skipped.prefix(Self.mostSkipped)) { $0.append($1) } }
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
        }
    }

    private mutating func append(_ attribute: AttributeDifference) {
        object { text in
            text.member("field", attribute.field)
            text.member(optional: "unit", Expression.field(attribute.field).unit)
            text.member("score") { $0.append(result: attribute.score) }
            text.member("values") { $0.array(attribute.values) { $0.append($1) } }
            text.member("valueCount", attribute.valueCount)
        }
    }

    private mutating func append(_ share: ValueShare) {
        object { text in
            switch share.value {
            case .exact(let value): text.member("value") { $0.append(value) }
            case .range(let low, let high):
                text.member("low") { $0.append(result: low) }
                text.member("high") { $0.append(result: high) }
            }
            text.member("selected") { $0.append(result: share.selected) }
            text.member("rest") { $0.append(result: share.rest) }
        }
    }

    mutating func append(_ answer: QuerySource.Records) {
        var size = 0
        let records = answer.result.records.prefix { record in
            defer { size += record.size }
            return size < Self.longestRecords
        }
        var warnings = answer.warnings
        if records.count < answer.result.records.count {
            warnings.append("Only the first \(records.count) records are shown, because they are large.")
        }
        object { text in
            text.member("records") { $0.array(records) { $0.append($1) } }
            text.member("matchedRecords", answer.result.matchedRecords)
            text.member("warnings") { $0.array(warnings) { $0.append($1) } }
        }
    }

    private mutating func append(_ record: QueryRecord) {
        let fields = record.fields
        object { text in
            text.member("timeUs", record.time / 1_000)
            if case .int(let duration) = fields["duration"] { text.member("durationNs", duration) }
            if case .int(let arrived) = fields[FieldNames.arrived] { text.member("arrivedUs", arrived / 1_000) }
            if case .int(let delay) = fields[FieldNames.delay] { text.member("delayNs", delay) }
            text.member(optional: "traceId", fields["trace.id"]?.text)
            text.member(optional: "spanId", fields["span.id"]?.text)
            text.member(optional: "sessionId", fields["session.id"]?.text)
            text.member(optional: "name", fields["name"]?.text)
            text.member("fields") { text in
                let sorted = fields.sorted { $0.key < $1.key }.map {
                    Attributes.Element(key: $0.key, value: AttributeValue($0.value))
                }
                text.append(Attributes(uniqueElements: sorted))
            }
        }
    }

    mutating func append(_ completions: QueryCompletions, in source: String) {
        object { text in
            text.member("from", source.codeUnits(ofCharacters: completions.replaced.lowerBound))
            text.member("to", source.codeUnits(ofCharacters: completions.replaced.upperBound))
            text.member("items") { text in
                text.array(completions.items) { text, item in
                    text.object { text in
                        text.member("kind", item.kind.rawValue)
                        text.member("text", item.text)
                    }
                }
            }
        }
    }
}

extension String {
    /// Returns the length of the first characters in UTF-16, as the text fields of browsers count.
    fileprivate func codeUnits(ofCharacters count: Int) -> Int { prefix(count).utf16.count }
}

extension AttributeValue {
    fileprivate init(_ value: QueryValue) {
        self =
            switch value {
            case .missing: .empty
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            }
    }
}

extension QueryRecord {
    /// About the size in bytes of the record as JSON.
    fileprivate var size: Int {
        fields.reduce(100) { size, field in
            guard case .string(let text) = field.value else { return size + field.key.utf8.count + 16 }
            return size + field.key.utf8.count + text.utf8.count
        }
    }
}
