/// SQL with bound parameters.
///
///     var statement = Statement()
///     statement.text = "SELECT count() FROM otel_traces WHERE TraceId = \(statement.bind(id))"
///
/// A value never becomes a part of the text: `bind` returns a placeholder, and ClickHouse parses the value by the type
/// in it.
package struct Statement: Sendable, Hashable {
    package var text: String
    /// The values by the name of the parameter, in the form that the HTTP interface takes.
    package private(set) var parameters: [String: String] = [:]
    private var names: [Value: String] = [:]

    private struct Value: Hashable {
        let type: String
        let text: String
    }

    package init(_ text: String = "") { self.text = text }

    /// Returns a placeholder for a text.
    package mutating func bind(_ value: String) -> String { bind(Self.escaped(value), as: "String") }

    package mutating func bind(_ value: Int64) -> String { bind("\(value)", as: "Int64") }

    /// Returns a placeholder for a number, which is finite.
    package mutating func bind(_ value: Double) -> String { bind("\(value)", as: "Float64") }

    /// Returns a placeholder for a name of a database, table or column.
    package mutating func bind(identifier: String) -> String { bind(Self.escaped(identifier), as: "Identifier") }

    private mutating func bind(_ text: String, as type: String) -> String {
        let value = Value(type: type, text: text)
        let name = names[value] ?? "p\(names.count)"
        names[value] = name
        parameters[name] = text
        return "{\(name):\(type)}"
    }

    /// Writes a text as one field of tab-separated values, which the HTTP interface expects.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\0": result += "\\0"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
