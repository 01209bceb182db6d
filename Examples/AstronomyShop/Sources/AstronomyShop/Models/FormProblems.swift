/// The problems of a form by field, as messages for the user.
struct FormProblems<Field: Hashable & Sendable>: Hashable, Sendable {
    private var messages: [Field: String] = [:]

    init() {}

    subscript(field: Field) -> String? {
        get { messages[field] }
        set { messages[field] = newValue }
    }

    var isEmpty: Bool { messages.isEmpty }
    var fields: Set<Field> { Set(messages.keys) }
}
