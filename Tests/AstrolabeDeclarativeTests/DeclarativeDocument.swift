@testable import AstrolabeDeclarative

/// The table of keys in `Docs/Internals/DeclarativeKeys.md`.
enum DeclarativeDocument {
    static let begin = "<!-- keys, written by DeclarativeDocumentTests -->"
    static let end = "<!-- end of keys -->"

    static var table: String {
        (["| key | followed | reason |", "|---|---|---|"] + rows(of: DeclarativeSchema.root, at: "", inside: []))
            .joined(separator: "\n")
    }

    private static func rows(of name: String, at prefix: String, inside parents: Set<String>) -> [String] {
        guard let type = DeclarativeSchema.types[name], !parents.contains(name) else { return [] }
        return type.keys.flatMap { key in
            let path = prefix + key.name
            switch key.use {
            case .followed: return ["| `\(path)` | yes | |"]
            case .ignored(let reason): return ["| `\(path)` | no | \(reason) |"]
            case .section:
                switch key.shape {
                case .object(let inner): return rows(of: inner, at: path + ".", inside: parents.union([name]))
                case .list(let inner): return rows(of: inner, at: path + "[].", inside: parents.union([name]))
                default: return []
                }
            }
        }
    }
}
