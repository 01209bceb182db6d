/// Why a record is there at all.
extension AttributeKey {
    /// The reason why a span was kept although its trace was sampled out: ``KnownValue/keptByError``. Such a span has
    /// no sampling probability and must not be counted as if it stood for others.
    ///
    /// String, such as `error`. Not in the conventions.
    package static let astrolabeSamplingKeptBy = "astrolabe.sampling.kept_by"

    /// True if a span was open when the app crashed, and ends with that; absent on others.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeSpanIsUnfinished = "astrolabe.span.is_unfinished"
}
