import TelemetryQuery
import Yams

/// A node of a board file that knows its key, for the messages of errors.
struct BoardNode {
    let file: String
    /// The key of the node, such as `as`.
    let name: String
    let node: Node

    func error(_ message: String) -> BoardError {
        BoardError(file: file, line: node.mark?.line, message: name.isEmpty ? message : "\(name): \(message)")
    }

    /// The kind of the node, for the end of a message.
    private var found: String {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "\"\(scalar.string.prefix(60))\""
        case .mapping: "keys"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }

    func text(atMost limit: Int) throws(BoardError) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw error("expected a text, found \(found)") }
        guard scalar.string.count <= limit else {
            throw error("expected at most \(limit) characters, found \(scalar.string.count)")
        }
        return scalar.string
    }

    func number(_ range: ClosedRange<Int>) throws(BoardError) -> Int {
        guard let number = node.int, range.contains(number) else {
            throw error("expected a number from \(range.lowerBound) to \(range.upperBound), found \(found)")
        }
        return number
    }

    func choice<Value: RawRepresentable & CaseIterable>(
        _: Value.Type
    ) throws(BoardError) -> Value where Value.RawValue == String {
        guard let value = node.scalar.flatMap({ Value(rawValue: $0.string) }) else {
            throw error("expected \(Self.list(Value.allCases.map(\.rawValue))), found \(found)")
        }
        return value
    }

    /// Reads a part of a query from a text.
    func query<Value>(_ read: (String) throws(QueryError) -> Value) throws(BoardError) -> Value {
        let text = try text(atMost: QueryLimits.characters)
        do {
            return try read(text)
        } catch {
            throw self.error(error.description)
        }
    }

    static func expression(_ text: String) throws(QueryError) -> Expression { try Expression(text: text) }

    func items(atMost limit: Int) throws(BoardError) -> [BoardNode] {
        guard let sequence = node.sequence else { throw error("expected a list, found \(found)") }
        guard sequence.count <= limit else { throw error("expected at most \(limit), found \(sequence.count)") }
        return sequence.map { BoardNode(file: file, name: name, node: $0) }
    }

    /// Returns the values by key.
    ///
    /// - Parameter known: The keys that there are.
    func keys(_ known: [String], needed: [String] = []) throws(BoardError) -> [String: BoardNode] {
        guard let mapping = node.mapping else { throw error("expected \(Self.list(known)), found \(found)") }
        var values: [String: BoardNode] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string, known.contains(name) else {
                let key = BoardNode(file: file, name: "", node: key)
                throw key.error("expected \(Self.list(known)), found \(key.found)")
            }
            // A key without a value is as if it were not there.
            if value.scalar?.string.isEmpty == true, value.scalar?.style == .plain { continue }
            values[name] = BoardNode(file: file, name: name, node: value)
        }
        if let missing = needed.first(where: { values[$0] == nil }) { throw error("expected \(missing)") }
        return values
    }

    private static func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}
