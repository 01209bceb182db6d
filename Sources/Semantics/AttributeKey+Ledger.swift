/// What the SDK says of its own records in the metrics of the conservation ledger; see ``MetricName/recordsCreated``.
extension AttributeKey {
    /// What a record is: `span`, `event` or `metric`.
    ///
    /// String, such as `span`. Not in the conventions.
    public static let astrolabeRecordKind = "astrolabe.record.kind"

    /// How urgent a record is: `low`, `normal`, `high` or `critical`.
    ///
    /// String, such as `critical`. Not in the conventions.
    public static let astrolabeRecordPriority = "astrolabe.record.priority"

    /// The one reason for which a record was given up.
    ///
    /// String, such as `expired`. Not in the conventions.
    public static let astrolabeDropReason = "astrolabe.drop.reason"
}
