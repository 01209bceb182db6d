public import Foundation

/// The JSON of the shop's wire: keys as declared, sorted, slashes not escaped, so that equal values give equal bytes.
public enum ShopJSON {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes, and names the field at fault where it cannot.
    ///
    /// - Parameter root: what to call the document itself, and to put before the fields of a query parameter.
    /// - Throws: ``ShopRouteError/badRequest(field:reason:)``, without any value of the data.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, root: String = "body", prefixesFields: Bool = false,
    ) throws(ShopRouteError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw Self.fault(of: error, root: root, prefixesFields: prefixesFields)
        }
    }

    private static func fault(of error: any Error, root: String, prefixesFields: Bool) -> ShopRouteError {
        func field(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
            var name = prefixesFields ? root : ""
            for key in path + (last.map { [$0] } ?? []) {
                if let index = key.intValue {
                    name += "[\(index)]"
                } else {
                    name += (name.isEmpty ? "" : ".") + key.stringValue.prefix(64)
                }
            }
            return name.isEmpty ? root : name
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return .badRequest(field: field(context.codingPath, key), reason: "is missing")
        case DecodingError.valueNotFound(let type, let context):
            return .badRequest(field: field(context.codingPath), reason: "expected \(kind(of: type)), found null")
        case DecodingError.typeMismatch(let type, let context):
            return .badRequest(field: field(context.codingPath), reason: "expected \(kind(of: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            let reason = (context.underlyingError as? FaultFlagError)?.reason
            return .badRequest(
                field: field(context.codingPath), reason: reason ?? "is out of range or not in the form expected",
            )
        default:
            return .badRequest(field: root, reason: "is not valid JSON")
        }
    }

    private static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        default: String(describing: type).hasPrefix("Array") ? "a list" : "an object"
        }
    }
}
