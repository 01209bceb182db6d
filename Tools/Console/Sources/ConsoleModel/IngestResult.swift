/// The result of ingesting the records of one request.
package struct IngestResult: Sendable, Hashable {
    /// The number of records that are on disk, including those that were stored before.
    package let accepted: Int
    /// The number of rejected records. A retry cannot succeed.
    package let rejected: Int
    /// The reason of the first rejection.
    package let reason: String?

    package init(accepted: Int, rejected: Int, reason: String?) {
        self.accepted = accepted
        self.rejected = rejected
        self.reason = reason
    }
}
