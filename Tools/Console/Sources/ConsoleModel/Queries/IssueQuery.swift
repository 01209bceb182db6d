/// A query for a list of issues.
package struct IssueQuery: Sendable, Hashable {
    package var kind: IssueKind
    /// Only crashes and hangs of this app version.
    package var version: String?
    /// Only crashes and hangs of this service.
    package var service: String?
    /// The maximum number of issues, 1 to 500.
    package var limit = 200

    package init(kind: IssueKind) {
        self.kind = kind
    }
}
