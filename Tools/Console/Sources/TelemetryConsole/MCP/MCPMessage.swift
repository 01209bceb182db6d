/// The body of a request: one message, or several in the versions that have batches.
enum MCPBody: Decodable, Sendable {
    case message(MCPValue)
    case batch([MCPValue])
    /// A batch of more messages than ``largestBatch``, which are not read.
    case oversizedBatch

    /// The maximum number of messages of a batch.
    static let largestBatch = 50

    init(from decoder: any Decoder) throws {
        guard var elements = try? decoder.unkeyedContainer() else {
            self = .message(try MCPValue(from: decoder))
            return
        }
        var messages: [MCPValue] = []
        while !elements.isAtEnd {
            guard messages.count < Self.largestBatch else {
                self = .oversizedBatch
                return
            }
            messages.append(try elements.decode(MCPValue.self))
        }
        self = .batch(messages)
    }
}

/// A JSON value of a message. Lists, which no parameter takes, are not read.
enum MCPValue: Decodable, Sendable, Hashable {
    case null
    case flag(Bool)
    case integer(Int64)
    /// A number that is no integer of 64 bits.
    case number
    case text(String)
    case list
    case object([String: MCPValue])

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self = .list
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let members = try? container.decode([String: MCPValue].self) {
            self = .object(members)
        } else {
            self = .number
        }
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .flag: "true or false"
        case .integer: "an integer"
        case .number: "a number that is no integer"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
