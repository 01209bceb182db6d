/// Replaces references to environment variables in a text, as the specification's "Environment variable substitution"
/// has it: `${NAME}`, `${env:NAME}`, `${NAME:-default}`, and `$$` for one `$`.
///
/// What a variable holds is not searched for references.
struct EnvironmentSubstitution {
    struct InvalidReference: Error {
        let problem: String
    }

    let environment: [String: String]

    /// - Returns: The text, and whether it had a reference.
    func apply(to text: String) throws(InvalidReference) -> (text: String, isSubstituted: Bool) {
        guard text.contains("$") else { return (text, false) }
        let characters = Array(text.unicodeScalars)
        var output = String.UnicodeScalarView()
        var isSubstituted = false
        var start = 0
        var index = 0
        // The parts between two `$$` are searched one by one, so no reference reaches across one.
        while index < characters.count {
            guard characters[index] == "$", index + 1 < characters.count, characters[index + 1] == "$" else {
                index += 1
                continue
            }
            if try replace(characters[start..<index], &output) { isSubstituted = true }
            output.append("$")
            index += 2
            start = index
        }
        if try replace(characters[start...], &output) { isSubstituted = true }
        return (String(output), isSubstituted)
    }

    private func replace(
        _ part: ArraySlice<Unicode.Scalar>, _ output: inout String.UnicodeScalarView,
    ) throws(InvalidReference) -> Bool {
        var rest = part
        var isSubstituted = false
        // Without this bound, each of many `${` that nothing closes would search the rest of the text.
        let lastEnd = part.lastIndex(of: "}") ?? part.startIndex
        while let first = rest.first {
            if first == "$", rest.dropFirst().first == "{", rest.startIndex < lastEnd,
                let end = rest.firstIndex(of: "}"), end > rest.startIndex + 2
            {
                output.append(contentsOf: try value(of: rest[(rest.startIndex + 2)..<end]).unicodeScalars)
                rest = rest[(end + 1)...]
                isSubstituted = true
            } else {
                output.append(first)
                rest.removeFirst()
            }
        }
        return isSubstituted
    }

    private func value(of content: ArraySlice<Unicode.Scalar>) throws(InvalidReference) -> String {
        var name = content
        if name.starts(with: "env:".unicodeScalars) { name = name.dropFirst(4) }
        var fallback = ""
        if let colon = name.firstIndex(of: ":") {
            guard name[(colon + 1)...].first == "-" else { throw invalid }
            fallback.unicodeScalars.append(contentsOf: name[(colon + 2)...])
            name = name[..<colon]
        }
        guard let first = name.first, Self.isLetter(first), name.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) })
        else { throw invalid }
        var text = ""
        text.unicodeScalars.append(contentsOf: name)
        guard let value = environment[text], !value.isEmpty else { return fallback }
        return value
    }

    private var invalid: InvalidReference {
        InvalidReference(
            problem: "expected a reference such as ${NAME}, ${env:NAME} or ${NAME:-default}. Write $$ for a $ sign.")
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
