/// Stored records in the order in which they arrived.
package struct Arrivals<Record: Sendable>: Sendable {
    package let records: [Record]
    /// The names of the records' sessions, in the same order; `nil` for a record without a session.
    package let sessions: [String?]
    /// The origins of the records, by number.
    package let origins: [Int64: Origin]
    /// The scopes of the records, by number.
    package let scopes: [Int64: Scope]
    /// The last sequence number that retention removed.
    package let trimmedThrough: Int64

    package init(
        records: [Record], sessions: [String?], origins: [Int64: Origin], scopes: [Int64: Scope], trimmedThrough: Int64,
    ) {
        self.records = records
        self.sessions = sessions
        self.origins = origins
        self.scopes = scopes
        self.trimmedThrough = trimmedThrough
    }
}
