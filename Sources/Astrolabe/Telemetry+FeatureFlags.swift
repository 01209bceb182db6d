import AstrolabeRecording
import AstrolabeSemantics
public import AstrolabeTelemetryModel

extension Telemetry {
    /// Records that a feature flag was read, as the event `feature_flag.evaluation`.
    ///
    ///     telemetry.recordFeatureFlag("checkout-button", variant: "green", reason: "split", provider: "Flags")
    ///
    /// The convention asks for an event at each evaluation. Call it where the flag changes what the user sees rather
    /// than in a loop: each call is a record. The event belongs to the current span.
    ///
    /// - Parameters:
    ///   - key: The flag's name.
    ///   - variant: The name of the value found. Prefer it to the value.
    ///   - value: The value found, if it has no name; redacted like any attribute.
    ///   - reason: Why the value is what it is: `static`, `default`, `targeting_match`, `split`, `cached`, `disabled`,
    ///     `unknown`, `stale` or `error`, or a word of the provider's. Recorded in lower case, since OpenFeature writes
    ///     `TARGETING_MATCH`.
    ///   - provider: Who decided.
    ///   - setID: The set that the flag belongs to.
    ///   - version: The version of the rules that decided.
    ///   - contextID: What it was decided for, such as the targeting key.
    ///   - errorType: The class of an error while the flag was read, such as `flag_not_found`. In lower case, too.
    ///   - errorMessage: What the error says beyond its class.
    ///   - addsToSpan: Whether the current span gets a span event with the same name and attributes. Default `false`.
    public func recordFeatureFlag(
        _ key: String, variant: String? = nil, value: (any AttributeConvertible)? = nil, reason: String? = nil,
        provider: String? = nil, setID: String? = nil, version: String? = nil, contextID: String? = nil,
        errorType: String? = nil, errorMessage: String? = nil, addsToSpan: Bool = false,
    ) {
        guard let core else { return }
        let attributes: Attributes = [
            AttributeKey.featureFlagKey: key, AttributeKey.featureFlagResultVariant: variant,
            AttributeKey.featureFlagResultValue: value?.attributeValue,
            AttributeKey.featureFlagResultReason: reason?.lowercased(),
            AttributeKey.featureFlagProviderName: provider, AttributeKey.featureFlagSetID: setID,
            AttributeKey.featureFlagVersion: version, AttributeKey.featureFlagContextID: contextID,
            AttributeKey.errorType: errorType?.lowercased(), AttributeKey.featureFlagErrorMessage: errorMessage,
        ]
        EventLogger(core: core, scope: InstrumentationScope.ofSDK("astrolabe.feature_flags")).emit(
            EventName.featureFlagEvaluation, attributes: attributes)
        if addsToSpan {
            TelemetryContext.current.span?.addEvent(EventName.featureFlagEvaluation, attributes: attributes)
        }
    }
}
