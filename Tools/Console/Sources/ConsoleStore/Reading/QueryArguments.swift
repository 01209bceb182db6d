/// The arguments of a query, by position or by name.
///
///     try database.rows("SELECT … WHERE name = ? LIMIT ?", [name, 50])
///     try database.rows("SELECT … WHERE kind = :kind", ["kind": 2])
struct QueryArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private var positional: [StoredValue] = []
    private var named: [String: StoredValue] = [:]

    init(arrayLiteral values: (any QueryArgument)?...) {
        positional = values.map { $0?.storedValue ?? .null }
    }

    init(dictionaryLiteral pairs: (String, (any QueryArgument)?)...) {
        for (name, value) in pairs { named[name] = value?.storedValue ?? .null }
    }

    init(_ values: [any QueryArgument]) {
        positional = values.map(\.storedValue)
    }

    static func += (left: inout QueryArguments, right: QueryArguments) {
        left.positional += right.positional
        left.named.merge(right.named) { $1 }
    }

    /// - Parameter name: The parameter's name in SQL with its prefix; `?1` and `nil` are read by position.
    func value(at index: Int, named name: String?) -> StoredValue {
        if let name, !name.hasPrefix("?") { return named[String(name.dropFirst())] ?? .null }
        return positional.indices.contains(index) ? positional[index] : .null
    }
}

/// A type whose values can be arguments of a query.
protocol QueryArgument {
    var storedValue: StoredValue { get }
}

extension Int64: QueryArgument {
    var storedValue: StoredValue { .integer(self) }
}

extension Int: QueryArgument {
    var storedValue: StoredValue { .integer(Int64(self)) }
}

extension UInt8: QueryArgument {
    var storedValue: StoredValue { .integer(Int64(self)) }
}

extension String: QueryArgument {
    var storedValue: StoredValue { .text(self) }
}
