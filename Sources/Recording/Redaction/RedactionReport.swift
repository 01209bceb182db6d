import AstrolabePlatform

/// Reports what was replaced where, for the developer of an app. Used only if the app asks for it in a debug build.
final class RedactionReport: Sendable {
    private static let lineLimit = 200
    private static let textLength = 80

    private let lines = Locked<Set<String>>([])
    private let onRedaction: @Sendable (String) -> Void

    init(_ onRedaction: @escaping @Sendable (String) -> Void) {
        self.onRedaction = onRedaction
    }

    /// - Parameters:
    ///   - key: The attribute's key, already redacted. Empty for a name or a message.
    ///   - text: The text after the replacement.
    func add(_ rules: Set<RedactionRule>, key: String, text: String) {
        let place = key.isEmpty ? "\"\(text.truncated(toUTF8: Self.textLength))\"" : "the value of \"\(key)\""
        for found in rules.map(\.found).sorted() {
            let line = "Redacted \(found) in \(place)."
            let isNew = lines.withLock { lines in lines.count < Self.lineLimit && lines.insert(line).inserted }
            guard isNew else { continue }
            LockRule.checkCall("calling onDiagnostic")
            onRedaction(line)
        }
    }
}
