/// Why a configuration could not be read: where, which key, what was expected.
///
///     honeycomb.plist: SERVICE_NAME: expected a string, found a number
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file's name, or "environment".
    package let source: String
    /// The key at fault; empty where the whole source is.
    package let key: String
    /// The expected value and, if it is no secret, the value that came.
    package let problem: String

    package init(source: String, key: String = "", problem: String) {
        self.source = source
        self.key = key
        self.problem = problem
    }

    public var description: String {
        [source, key, problem].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
