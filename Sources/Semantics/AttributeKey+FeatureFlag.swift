/// What a feature flag was found to be; the shop's fault switches are such flags.
extension AttributeKey {
    /// The flag's name.
    ///
    /// String, such as `paymentFailure`. In development.
    public static let featureFlagKey = "feature_flag.key"

    /// Who answered.
    ///
    /// String, such as `Astronomy Shop faults`. In development.
    public static let featureFlagProviderName = "feature_flag.provider.name"

    /// The name of the value found, where values have names.
    ///
    /// String, such as `on`. In development.
    public static let featureFlagResultVariant = "feature_flag.result.variant"

    /// Why the value is what it is.
    ///
    /// String, such as `static`. In development.
    public static let featureFlagResultReason = "feature_flag.result.reason"
}
