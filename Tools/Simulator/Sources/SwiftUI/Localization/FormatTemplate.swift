/// A translation with format specifiers, such as `%@ each` or `%2$@: %1$lld`.
enum FormatTemplate {
    /// Replaces each specifier with a value: by its position if it has one, or else in order. `%%` is a percent sign.
    static func fill(_ template: String, with values: [String]) -> String {
        var result = ""
        var rest = template[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[percent...]
            if let escaped = rest.prefixMatch(of: /%%/) {
                result += "%"
                rest = rest[escaped.range.upperBound...]
            } else if let specifier = rest.prefixMatch(of: /%(?:([0-9]+)\$)?(?:@|lld|lf)/) {
                let index = specifier.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
                next += 1
                if values.indices.contains(index) { result += values[index] }
                rest = rest[specifier.range.upperBound...]
            } else {
                result += "%"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}
