/// Why a record is there at all.
extension AttributeKey {
    /// True if a span was open when the app crashed, and ends with that; absent on others.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeSpanIsUnfinished = "astrolabe.span.is_unfinished"
}
