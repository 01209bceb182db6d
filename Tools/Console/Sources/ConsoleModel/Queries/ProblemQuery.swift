/// A query for a list of issues.
package struct ProblemQuery: Sendable, Hashable {
    package var kind: ProblemKind
    /// Only problems of this app version.
    package var version: String?
    /// Only problems of this service.
    package var service: String?
    /// The maximum number of issues, 1 to 500.
    package var limit = 200

    package init(kind: ProblemKind) {
        self.kind = kind
    }
}
