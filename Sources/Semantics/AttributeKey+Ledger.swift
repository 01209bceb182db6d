/// The SDK's own records in the metrics of the conservation ledger; see ``MetricName/recordsCreated``.
extension AttributeKey {
    /// The place where records wait: `journal` or `queue`.
    ///
    /// String, such as `queue`. Not in the conventions.
    package static let astrolabeRecordPlace = "astrolabe.record.place"

    /// The one reason for which a record was dropped.
    ///
    /// String, such as `expired`. Not in the conventions.
    package static let astrolabeDropReason = "astrolabe.drop.reason"
}
