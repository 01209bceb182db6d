package import Foundation

/// The JSON form. `Docs/Guide/Queries.md` describes it.
///
/// Expressions and calculations are in their text form inside it; the rest is structure.
extension Query: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case dataset
        case calculate
        case with
        case by
        case `where`
        case having
        case order
        case limit
        case arriving
        case time
        case every
        case compare
        case raw
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.strictContainer(Key.self)
        if let dataset = try container.decodeIfPresent(String.self, forKey: .dataset) {
            guard let known = Dataset(rawValue: dataset) else {
                throw container.error(.dataset, dataset, among: Dataset.allCases.map(\.rawValue))
            }
            self.dataset = known
        }
        calculations = try container.decode([Calculation].self, forKey: .calculate)
        derived = try container.decodeIfPresent([DerivedField].self, forKey: .with) ?? []
        groups = try container.decodeIfPresent([Expression].self, forKey: .by) ?? []
        condition = try container.decodeIfPresent(Condition.self, forKey: .where)
        having = try container.decodeIfPresent(Having.self, forKey: .having)
        order = try container.decodeIfPresent([OrderTerm].self, forKey: .order) ?? []
        limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? Self.defaultLimit
        isRaw = try container.decodeIfPresent(Bool.self, forKey: .raw) ?? false
        if try container.decodeIfPresent(Bool.self, forKey: .arriving) == true { clock = .arrival }
        // Times are those of the text form, so they are read by its parser.
        for (key, clause) in [(Key.time, ""), (.every, "every "), (.compare, "compare ")] {
            guard let text = try container.decodeIfPresent(String.self, forKey: key) else { continue }
            do throws(QueryError) {
                let read = try Query(text: "count \(clause)\(text)")
                switch key {
                case .time: time = read.time
                case .every: granularity = read.granularity
                default: comparison = read.comparison
                }
            } catch {
                throw container.error(key, "Cannot read \"\(text)\". \(error.message)")
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(dataset.rawValue, forKey: .dataset)
        try container.encode(calculations, forKey: .calculate)
        if !derived.isEmpty { try container.encode(derived, forKey: .with) }
        if !groups.isEmpty { try container.encode(groups, forKey: .by) }
        try container.encodeIfPresent(condition, forKey: .where)
        try container.encodeIfPresent(having, forKey: .having)
        if !order.isEmpty { try container.encode(order, forKey: .order) }
        try container.encode(limit, forKey: .limit)
        if clock == .arrival { try container.encode(true, forKey: .arriving) }
        switch time {
        case .last(let nanoseconds):
            try container.encode("last \(QueryText.text(ofDuration: nanoseconds))", forKey: .time)
        case .between(let from, let to):
            try container.encode("from \(Timestamp.text(from)) to \(Timestamp.text(to))", forKey: .time)
        }
        switch granularity {
        case .automatic: break
        case .fixed(let nanoseconds): try container.encode(QueryText.text(ofDuration: nanoseconds), forKey: .every)
        case .total: try container.encode("total", forKey: .every)
        }
        switch comparison {
        case .previous: try container.encode("previous", forKey: .compare)
        case .earlier(let nanoseconds):
            try container.encode(QueryText.text(ofDuration: nanoseconds), forKey: .compare)
        case nil: break
        }
        if isRaw { try container.encode(true, forKey: .raw) }
    }

    /// Reads a JSON body.
    ///
    /// - Throws: `QueryError` with the path, such as `where.all[1].operator`, or the column where the body stops to
    ///   be JSON.
    package init(json: Data) throws(QueryError) {
        let query: Query = try QueryError.decoding(json)
        // The parser holds every limit, so what it reads again is within them.
        guard let problem = query.textProblem else {
            self = query
            return
        }
        throw query.place(problem)
    }

    /// Why the parser does not read the query's text as the same query; `nil` if it does.
    private var textProblem: QueryError? {
        do throws(QueryError) {
            return try Query(text: description) == self ? nil : QueryError("Expected what has a text form.")
        } catch {
            return error
        }
    }

    /// Returns a problem of the text form at the key that causes it: the first one with which the text cannot be read.
    private func place(_ problem: QueryError) -> QueryError {
        let parts: [(Key, (inout Query) -> Void)] = [
            (.calculate, { $0.calculations = calculations }), (.with, { $0.derived = derived }),
            (.by, { $0.groups = groups }), (.where, { $0.condition = condition }), (.having, { $0.having = having }),
            (.order, { $0.order = order }), (.limit, { $0.limit = limit }), (.time, { $0.time = time }),
            (.every, { $0.granularity = granularity }),
        ]
        var part = Query()
        part.dataset = dataset
        for (key, add) in parts {
            add(&part)
            guard let problem = part.textProblem else { continue }
            return QueryError(problem.message, at: .path(key.rawValue), suggestions: problem.suggestions)
        }
        return QueryError(problem.message, at: .path(Key.compare.rawValue), suggestions: problem.suggestions)
    }

    /// Returns the JSON form, with sorted keys.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension QueryError {
    /// The path of a whole body.
    static let root = Place.path("$")

    /// Reads a value from JSON.
    ///
    /// - Throws: `QueryError` with the path of what is wrong, or the column where the text stops to be JSON.
    static func decoding<Value: Decodable>(_ json: Data) throws(QueryError) -> Value {
        guard json.count <= 8 * QueryLimits.characters else {
            throw QueryError(
                "Expected at most \(8 * QueryLimits.characters) bytes, found \(json.count).", at: root)
        }
        do {
            return try JSONDecoder().decode(Value.self, from: json)
        } catch let error as DecodingError {
            throw JSONSyntax.error(in: json) ?? QueryError(error)
        } catch {
            throw JSONSyntax.error(in: json) ?? QueryError("Expected a question as JSON.", at: root)
        }
    }

    private init(_ error: DecodingError) {
        let context: DecodingError.Context
        var path: [any CodingKey]
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            context = found
            path = found.codingPath
        case .keyNotFound(let key, let found):
            self.init("Expected the key \"\(key.stringValue)\".", at: Self.place(found.codingPath + [key]))
            return
        @unknown default:
            self.init("Expected a question as JSON.", at: Self.root)
            return
        }
        // An unknown key is the last part of the path.
        if let key = context.underlyingError as? AnyKey { path.append(key) }
        self.init(context.debugDescription, at: Self.place(path))
    }

    private static func place(_ path: [any CodingKey]) -> Place {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text.isEmpty ? root : .path(text)
    }
}

/// A key that need not be known.
struct AnyKey: CodingKey, Error {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Returns a container that has no other keys than those of `Key`.
    func strictContainer<Key: CodingKey & CaseIterable>(
        _ type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Key.allCases.map(\.stringValue)
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw error(
                "Unknown key \"\(key.stringValue)\". Expected \(known.joined(separator: ", ")).", below: key)
        }
        return try container(keyedBy: type)
    }

    func error(_ message: String, below key: (any CodingKey)? = nil) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: message))
    }

    /// Reads a text with the parser of the text form.
    func parsed<Value>(
        _ name: String, _ parse: (inout QueryParser) throws(QueryError) -> Value,
    ) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        do throws(QueryError) {
            var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
            let value = try parse(&parser)
            try parser.expectEnd()
            return value
        } catch {
            throw self.error("Cannot read the \(name) \"\(text.prefix(100))\". \(error)")
        }
    }
}

extension KeyedDecodingContainer {
    func error(_ key: Key, _ message: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: message)
    }

    func error(_ key: Key, _ word: String, among words: [String]) -> DecodingError {
        let hint = Spelling.suggestions(for: word, among: words).first.map { " Did you mean \($0)?" } ?? ""
        return error(key, "Expected \(words.joined(separator: ", ")), found \"\(word.prefix(50))\".\(hint)")
    }
}
