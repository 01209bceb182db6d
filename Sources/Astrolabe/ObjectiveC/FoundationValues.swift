import AstrolabeTelemetryModel
import Foundation

/// Attributes from the values that Objective-C has in its collections.
enum FoundationValues {
    /// Levels of collections inside each other; what is deeper is left out.
    private static let depthLimit = 8

    /// The entries in the order of their keys. Those without a counterpart are left out.
    static func attributes(_ dictionary: [String: Any]) -> Attributes {
        attributes(dictionary, depth: 0)
    }

    private static func attributes(_ dictionary: [String: Any], depth: Int) -> Attributes {
        Attributes(
            uniqueElements: dictionary.sorted { $0.key < $1.key }.compactMap { key, content in
                value(content, depth: depth).map { Attributes.Element(key: key, value: $0) }
            })
    }

    private static func value(_ any: Any, depth: Int) -> AttributeValue? {
        switch any {
        case let text as String: return .string(text)
        case let url as URL: return .string(url.absoluteString)
        case let uuid as UUID: return .string(uuid.uuidString)
        case let date as Date: return .string(ISO8601DateFormatter().string(from: date))
        case let data as Data: return .bytes(Array(data))
        case let number as NSNumber: return value(number)
        case let values as [Any] where depth < depthLimit:
            return .array(values.compactMap { value($0, depth: depth + 1) })
        case let values as [String: Any] where depth < depthLimit:
            return .map(attributes(values, depth: depth + 1))
        default: return nil
        }
    }

    /// A number as the type it was made of. A Boolean is a number of the type `char`.
    private static func value(_ number: NSNumber) -> AttributeValue {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): .double(number.doubleValue)
        case UInt8(ascii: "Q"): .int(Int64(clamping: number.uint64Value))
        default: .int(number.int64Value)
        }
    }
}
