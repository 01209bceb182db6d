/// What is wrong with a form, field by field, in words for the person who fills it in.
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
