import Astrolabe
import Foundation

/// The allowed form of a value in a declarative configuration.
enum DeclarativeShape: Sendable {
    case bool
    /// A whole number of at least this.
    case integer(atLeast: Int)
    case number(ClosedRange<Double>)
    case text
    case textOrNull
    /// One of these texts.
    case choice([String])
    /// One of these texts at least.
    case choices([String])
    /// A text, a number, a truth value, or an array of them.
    case attributeValue
    /// One element at least.
    case list(of: String)
    /// One text at least.
    case texts
    case numbers
    /// A type of ``DeclarativeSchema``.
    case object(String)
    /// An object that is not read further.
    case anyObject
}

/// A key of the schema, and what the SDK does with it.
struct DeclarativeKey: Sendable {
    enum Use: Sendable {
        /// A section, whose keys say more.
        case section
        case followed
        /// Read, reported and not followed, with the reason.
        case ignored(String)
    }

    let name: String
    let shape: DeclarativeShape
    var isRequired = false
    let use: Use

    static func section(_ name: String, _ shape: DeclarativeShape, isRequired: Bool = false) -> DeclarativeKey {
        DeclarativeKey(name: name, shape: shape, isRequired: isRequired, use: .section)
    }

    static func followed(_ name: String, _ shape: DeclarativeShape, isRequired: Bool = false) -> DeclarativeKey {
        DeclarativeKey(name: name, shape: shape, isRequired: isRequired, use: .followed)
    }

    static func ignored(_ name: String, _ shape: DeclarativeShape, _ reason: String) -> DeclarativeKey {
        DeclarativeKey(name: name, shape: shape, use: .ignored(reason))
    }
}

/// An object of the schema.
struct DeclarativeType: Sendable {
    let keys: [DeclarativeKey]
    /// True if exactly one key must be present, which chooses a component.
    var isChoice = false
    /// True if null counts as an empty object.
    var isNullable = false
}

/// Compares a file with the schema, and collects the known keys that the SDK does not follow.
struct DeclarativeChecker {
    static let noteLimit = 100

    let source: ConfigurationSource
    private var notes: [String] = []
    private var omittedNotes = 0

    init(source: ConfigurationSource) { self.source = source }

    /// The diagnostics. Those beyond the limit are one line with their count.
    var allNotes: [String] {
        omittedNotes == 0 ? notes : notes + ["\(source.name): \(omittedNotes) more keys or values are ignored."]
    }

    /// Adds a diagnostic about a value that is not followed.
    mutating func note(_ node: ConfigurationNode, _ text: String) {
        if notes.count < Self.noteLimit {
            notes.append(source.error(node.offset, node.path, text).description)
        } else {
            omittedNotes += 1
        }
    }

    mutating func check(_ node: ConfigurationNode, _ shape: DeclarativeShape) throws(ConfigurationError) {
        switch shape {
        case .bool: try expect(node, node.bool != nil, "true or false")
        case .integer(let least):
            try expect(node, node.integer.map { $0 >= least } ?? false, "a whole number, \(least) or more")
        case .number(let range):
            try expect(
                node, node.number.map(range.contains) ?? false,
                "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        case .text: try expect(node, node.text != nil, "a string")
        case .textOrNull: try expect(node, node.text != nil || node.isNull, "a string or null")
        case .choice(let values):
            let isListed = node.text.map(values.contains) ?? false
            let names = values.joined(separator: ", ").replacingLastComma
            try expect(node, isListed, names, found: node.text == nil ? node.kind : "another string")
        case .choices(let values):
            try expect(node, !node.elements.isEmpty, "an array with one element or more")
            for element in node.elements { try check(element, .choice(values)) }
        case .attributeValue:
            try expect(node, isAttributeValue(node), "a string, number, true, false, or array of one")
        case .texts:
            let isRight = !node.elements.isEmpty && node.elements.allSatisfy { $0.text != nil }
            try expect(node, isRight, "an array with one string or more")
        case .numbers:
            try expect(node, isArray(node) && node.elements.allSatisfy { $0.number != nil }, "an array of numbers")
        case .list(let type):
            try expect(node, !node.elements.isEmpty, "an array with one element or more")
            for element in node.elements { try check(element, .object(type)) }
        case .object(let name):
            guard let type = DeclarativeSchema.types[name] else { return }
            try check(node, type)
        case .anyObject: try expect(node, isObject(node), "an object")
        }
    }

    private mutating func check(_ node: ConfigurationNode, _ type: DeclarativeType) throws(ConfigurationError) {
        if node.isNull, type.isNullable { return }
        try expect(node, isObject(node), "an object")
        let names = type.keys.map(\.name).joined(separator: ", ").replacingLastComma
        if type.isChoice, node.members.count != 1 {
            throw source.error(node.offset, node.path, "expected exactly one of \(names), found \(node.members.count)")
        }
        for member in node.members {
            guard let key = type.keys.first(where: { $0.name == member.key }) else {
                // Experimental parts change without notice, so those that are not in the schema here are not read.
                if member.key.hasSuffix("/development") {
                    note(member.node, "in development in the specification. It is ignored.")
                    continue
                }
                let expected = names.isEmpty ? "no key here" : names
                throw source.error(member.offset, member.node.path, "unknown key. Expected \(expected).")
            }
            if member.node.isNull, !isComponent(key.shape), !key.isRequired { continue }
            try check(member.node, key.shape)
            if case .ignored(let reason) = key.use, !isEmpty(member.node) {
                note(member.node, "\(reason) It is ignored.")
            }
        }
        for key in type.keys where key.isRequired && !node.members.contains(where: { $0.key == key.name }) {
            throw source.error(node.offset, .key(key.name, node.path), "expected the key, found nothing. Add it.")
        }
    }

    /// Returns true if null is not the same as an absent key.
    private func isComponent(_ shape: DeclarativeShape) -> Bool {
        switch shape {
        case .object, .list, .texts, .numbers, .choices, .anyObject: true
        case .bool, .integer, .number, .text, .textOrNull, .choice, .attributeValue: false
        }
    }

    /// Returns true if an object has no setting, such as one whose keys are all null.
    private func isEmpty(_ node: ConfigurationNode) -> Bool {
        isObject(node) && !node.members.isEmpty && node.members.allSatisfy(\.node.isNull)
    }

    private func isObject(_ node: ConfigurationNode) -> Bool {
        if case .object = node.value { true } else { false }
    }

    private func isArray(_ node: ConfigurationNode) -> Bool {
        if case .array = node.value { true } else { false }
    }

    private func isAttributeValue(_ node: ConfigurationNode) -> Bool {
        switch node.value {
        case .null, .bool, .number, .string: true
        case .array(let elements): Set(elements.map { kind($0) }).count == 1 && elements.allSatisfy { isScalar($0) }
        case .object: false
        }
    }

    private func kind(_ node: ConfigurationNode) -> Int {
        switch node.value {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .string: 3
        case .array: 4
        case .object: 5
        }
    }

    private func isScalar(_ node: ConfigurationNode) -> Bool {
        switch node.value {
        case .bool, .number, .string: true
        case .null, .array, .object: false
        }
    }

    private func expect(
        _ node: ConfigurationNode, _ isRight: Bool, _ what: String, found: String? = nil,
    ) throws(ConfigurationError) {
        guard !isRight else { return }
        throw source.error(node.offset, node.path, "expected \(what), found \(found ?? node.kind)")
    }
}

extension String {
    /// `a, b or c` from `a, b, c`.
    var replacingLastComma: String {
        guard let comma = range(of: ", ", options: .backwards) else { return self }
        return replacingCharacters(in: comma, with: " or ")
    }
}
