/// A fault of a policy document: where it is, what was expected, and what was found.
///
///     finding.description    // "$.rates.normal: expected a number from 0 to 1, found 1.5"
package struct PolicyFinding: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the document, such as `$.triggers.rules[0].span`; `$` is the document itself.
    package let path: String
    /// The expected and the found value, without a full stop.
    package let problem: String

    package init(_ path: String, _ problem: String) {
        self.path = path
        self.problem = problem
    }

    package var description: String { "\(path): \(problem)" }
}
