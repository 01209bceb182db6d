import AstrolabePlatform
package import AstrolabeTelemetryModel

/// The instrumentation scopes of this run by their numbers, for readers of what the run leaves behind.
package final class RegisteredScopes: Sendable {
    private struct State {
        /// By their numbers, which begin with 1. An array, because a dictionary costs the start a search of all images.
        var byNumber: [InstrumentationScope?] = []
        var scopes = Attributes()
        var mirror: (@Sendable (Attributes) -> Void)?
    }

    private let state = Locked(State())

    func add(_ scope: InstrumentationScope, _ number: ScopeNumber) {
        state.withLock { state in
            let index = Int(number.rawValue)
            while state.byNumber.count <= index { state.byNumber.append(nil) }
            state.byNumber[index] = scope
            let key = String(number.rawValue)
            guard state.scopes[key] == nil else { return }
            let texts = [scope.name, scope.version] + (scope.schemaURL.isEmpty ? [] : [scope.schemaURL])
            state.scopes[key] = .array(texts.map { .string($0) })
            state.mirror?(state.scopes)
        }
    }

    /// The scope with this number, or `nil`.
    subscript(number: ScopeNumber) -> InstrumentationScope? {
        let index = Int(number.rawValue)
        return state.withLock { index < $0.byNumber.count ? $0.byNumber[index] : nil }
    }

    /// Calls `body` with all scopes, now and when another one is added; `nil` ends that.
    package func mirror(_ body: (@Sendable (Attributes) -> Void)?) {
        state.withLock { state in
            state.mirror = body
            body?(state.scopes)
        }
    }

    /// Returns the scope with this number in what was mirrored; one without a name if it is not there.
    package static func scope(_ number: UInt16, in mirrored: Attributes) -> InstrumentationScope {
        guard case .array(let values) = mirrored[String(number)], 2...3 ~= values.count else {
            return InstrumentationScope(name: "")
        }
        let texts = values.map { $0.stringValue ?? "" }
        return InstrumentationScope(
            name: texts[0], version: texts[1], schemaURL: texts.count > 2 ? texts[2] : "")
    }
}
