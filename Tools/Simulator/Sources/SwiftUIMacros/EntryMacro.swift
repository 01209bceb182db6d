/// The expansion of `@Entry`: a key, and an accessor that reads and writes its value.
struct EntryMacro {
    /// The attribute stands on something that is not a variable with a value.
    struct NotAVariable: Error, CustomStringConvertible {
        var description: String { "@Entry expects a variable with a value, such as 'var accent: Color = .red'" }
    }

    private let name: Substring
    private let type: Substring?
    private let value: Substring

    /// - Parameter declaration: The source of the declaration, such as `var accent: Color = .red`.
    init(_ declaration: String) throws(NotAVariable) {
        let form = /\bvar\s+`?(\w+)`?\s*(?::\s*([^=\/]*[^=\/\s])\s*)?(?:=\s*([\s\S]+))?/
        guard let match = declaration.firstMatch(of: form) else { throw NotAVariable() }
        name = match.1
        type = match.2
        if let value = match.3 {
            self.value = value
        } else if let type, type.hasSuffix("?") {
            value = "nil"
        } else {
            throw NotAVariable()
        }
    }

    /// The accessors in the place of the variable.
    var accessors: String {
        "{\nget { self[__Key_\(name).self] }\nset { self[__Key_\(name).self] = newValue }\n}"
    }

    /// The declaration beside the variable. If its type is known, the value is made for each use, as Apple's is, so it
    /// need not be `Sendable`.
    var key: String {
        guard let type else {
            return "private enum __Key_\(name): EnvironmentKey {\nstatic let defaultValue = \(value)\n}"
        }
        return "private enum __Key_\(name): EnvironmentKey {\nstatic var defaultValue: \(type) {\n\(value)\n}\n}"
    }
}
