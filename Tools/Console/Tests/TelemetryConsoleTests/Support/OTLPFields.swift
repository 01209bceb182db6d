import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation

/// The fields of an OTLP/JSON request: the names of protobuf as a path, and the value, as `EveryField` has them.
struct OTLPFields {
    private(set) var fields: [[String]] = []

    init?(_ json: [UInt8]) {
        guard let request = JSONText.attributes(in: String(decoding: json, as: UTF8.self)) else { return nil }
        add(.map(request), "")
    }

    private mutating func add(_ value: AttributeValue, _ path: String) {
        switch value {
        case .array(let elements): for element in elements { add(element, path) }
        case .map(let members):
            // A pair of an attribute.
            if let key = members["key"]?.stringValue { return add(any: members["value"], "\(path)/\(key)") }
            for member in members {
                let place = path.isEmpty ? Self.name(member.key) : "\(path).\(Self.name(member.key))"
                if member.key == "body" { add(any: member.value, place) } else { add(member.value, place) }
            }
        default: fields.append([path, Self.text(of: value)])
        }
    }

    /// Adds a value that may be of any type.
    private mutating func add(any value: AttributeValue?, _ path: String) {
        for member in value?.members ?? [:] {
            let values = member.value.members?["values"]?.elements ?? []
            switch member.key {
            case "arrayValue": for element in values { add(any: element, path) }
            case "kvlistValue":
                for pair in values {
                    let key = pair.members?["key"]?.stringValue ?? ""
                    add(any: pair.members?["value"], "\(path).\(key)")
                }
            case "bytesValue":
                let bytes = Data(base64Encoded: member.value.stringValue ?? "") ?? Data()
                fields.append([path, bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()])
            default: fields.append([path, Self.text(of: member.value)])
            }
        }
    }

    private static func text(of value: AttributeValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let truth): String(truth)
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .array, .map, .bytes, .empty: ""
        }
    }

    /// `timeUnixNano` as `time_unix_nano`.
    private static func name(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
