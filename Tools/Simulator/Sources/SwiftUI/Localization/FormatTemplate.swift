import Foundation

/// A translation with format specifiers, such as `%@ each` or `%2$@: %1$lld`.
enum FormatTemplate {
    /// Replaces each specifier with a value: by its position if it has one, or else in order. `%%` is a percent sign.
    static func fill(_ template: String, with values: [String]) -> String {
        parts(template).map { part in
            switch part {
            case .text(let text): text
            case .value(let index): values.indices.contains(index) ? values[index] : ""
            }
        }.joined()
    }

    enum Part: Hashable {
        case text(String)
        /// The value with this index.
        case value(Int)
    }

    static func parts(_ template: String) -> [Part] {
        var parts: [Part] = []
        var text = ""
        var rest = template[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...]
            if rest.hasPrefix("%%") {
                text += "%"
                rest = rest.dropFirst(2)
            } else if let specifier = rest.prefixMatch(of: specifier) {
                let index = specifier.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
                next += 1
                parts += [.text(text), .value(index)]
                text = ""
                rest = rest[specifier.range.upperBound...]
            } else {
                text += "%"
                rest = rest.dropFirst()
            }
        }
        return parts + [.text(text + rest)]
    }

    /// `%@`, `%lld`, `%lf`, and those that an app gives to `specifier:`, such as `%.2f`.
    private nonisolated(unsafe) static let specifier: Regex<(Substring, Substring?)> =  // an expression never changes
        /%(?:([0-9]+)\$)?(?:@|[-+#0]*[0-9]*(?:\.[0-9]+)?(?:hh|h|ll|l|q)?[diouxXfFeEgGcs])/
}
