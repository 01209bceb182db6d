/// The evaluation of a feature flag; the shop's fault switches are such flags.
extension AttributeKey {
    /// The flag's name.
    ///
    /// String, such as `paymentFailure`. In development.
    public static let featureFlagKey = "feature_flag.key"

    /// The provider of the value.
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

    /// The value found; its variant says the same without the value.
    ///
    /// String, or another type, such as `#ff0000`. In development.
    public static let featureFlagResultValue = "feature_flag.result.value"

    /// The set that the flag belongs to.
    ///
    /// String, such as `proj-1`. In development.
    public static let featureFlagSetID = "feature_flag.set.id"

    /// The version of the rules that decided.
    ///
    /// String, such as `01ABCDEF`. In development.
    public static let featureFlagVersion = "feature_flag.version"

    /// The context that the flag was decided for, such as the targeting key.
    ///
    /// String, such as `5157782b-2203-4c80-a857-dbbd5e7761db`. In development.
    public static let featureFlagContextID = "feature_flag.context.id"

    /// The error while the flag was read, beyond what `error.type` says.
    ///
    /// String, such as `Unexpected input type: string`. In development.
    public static let featureFlagErrorMessage = "feature_flag.error.message"
}
