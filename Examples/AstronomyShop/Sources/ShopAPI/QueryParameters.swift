import Foundation

/// The names and values of a query, decoded.
struct QueryParameters {
    private let pairs: [(name: String, value: String)]

    /// Splits at `&` and `=`; a name without `=` has an empty value.
    init(_ query: String?) throws(ShopRouteError) {
        var pairs: [(name: String, value: String)] = []
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else {
                throw .badRequest(field: "query", reason: "holds a % that is not followed by two hex digits of UTF-8")
            }
            guard let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true) else {
                throw .badRequest(
                    field: String(name.prefix(64)), reason: "holds a % that is not followed by two hex digits of UTF-8",
                )
            }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The first value of a name, or nil if it is absent.
    subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// The first value of a name.
    func required(_ name: String) throws(ShopRouteError) -> String {
        guard let value = self[name], !value.isEmpty else { throw .badRequest(field: name, reason: "is missing") }
        return value
    }

    /// Every value of a name, split at commas, without empty ones.
    func list(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.flatMap { $0.value.split(separator: ",").map(String.init) }
    }

    /// A value that is JSON.
    func json<Value: Decodable>(_ name: String) throws(ShopRouteError) -> Value {
        try ShopJSON.decode(
            Value.self, from: Data(try required(name).utf8), root: name, prefixesFields: true,
        )
    }
}
