import AstrolabeTelemetryModel
import ConsoleModel
import Foundation

extension AttributeValue {
    /// The value as the exporter stores it: text. Arrays and maps are JSON, bytes are Base64.
    var exporterText: String {
        switch self {
        case .empty: ""
        case .string(let value): value
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .double(let value): Self.text(of: value)
        case .bytes(let value): Data(value).base64EncodedString()
        case .array, .map: json
        }
    }

    /// Whole numbers below 10^21 have no decimal point, as in JavaScript.
    private static func text(of value: Double) -> String {
        if let int = Int64(exactly: value) { return "\(int)" }
        return "\(value)"
    }

    private var json: String {
        switch self {
        case .empty: return "null"
        case .bool, .int: return exporterText
        case .double(let value): return value.isFinite ? exporterText : "null"
        case .string, .bytes:
            var text = JSONText()
            text.append(exporterText)
            return text.string
        case .array(let values): return "[\(values.map(\.json).joined(separator: ","))]"
        case .map(let values):
            let members = values.map { element in
                var key = JSONText()
                key.append(element.key)
                return "\(key.string):\(element.value.json)"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }
}

extension RowBinaryWriter {
    mutating func write(_ attributes: Attributes) {
        write(attributes) { writer, element in
            writer.write(element.key)
            writer.write(element.value.exporterText)
        }
    }

    /// Writes a time. Later times than those of `DateTime64` are clamped.
    mutating func write(time nanoseconds: UInt64) { write(Int64(clamping: nanoseconds)) }

    mutating func write(_ id: TraceID) { write(id.isValid ? id.hex : "") }

    mutating func write(_ id: SpanID) { write(id.isValid ? id.hex : "") }

    /// Writes `service.name` of a resource.
    mutating func write(serviceOf resource: Resource) {
        write(resource.attributes["service.name"]?.exporterText ?? "")
    }
}
