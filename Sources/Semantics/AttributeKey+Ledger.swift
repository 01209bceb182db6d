/// What the SDK says of its own records in the metrics of the conservation ledger; see ``MetricName/recordsCreated``.
extension AttributeKey {
    /// Where records wait: `journal` or `queue`.
    ///
    /// String, such as `queue`. Not in the conventions.
    package static let astrolabeRecordPlace = "astrolabe.record.place"

    /// The one reason for which a record was given up.
    ///
    /// String, such as `expired`. Not in the conventions.
    package static let astrolabeDropReason = "astrolabe.drop.reason"
}
