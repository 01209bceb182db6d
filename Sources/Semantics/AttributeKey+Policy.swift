/// The device's conditions, the SDK's decisions after them, and its own use of the device.
extension AttributeKey {
    /// The mode of collection that the policy decided for.
    ///
    /// String, such as `reduced`. Not in the conventions.
    package static let astrolabePolicyMode = "astrolabe.policy.mode"

    /// The mode before that.
    ///
    /// String, such as `normal`. Not in the conventions.
    package static let astrolabePolicyPreviousMode = "astrolabe.policy.previous_mode"

    /// Why, in words, the reason that sets the mode first.
    ///
    /// String, list, such as `["Low Power Mode: collect at most in minimal mode"]`. Not in the conventions.
    package static let astrolabePolicyReasons = "astrolabe.policy.reasons"

    /// The share of sessions and trace roots that is kept.
    ///
    /// Double, a share, such as `0.1`. Not in the conventions.
    package static let astrolabePolicySamplingRate = "astrolabe.policy.sampling_rate"

    /// The way in which records leave the device: `immediate`, `batched`, `wifiOnly` or `queued`.
    ///
    /// String, such as `batched`. Not in the conventions.
    package static let astrolabePolicyUpload = "astrolabe.policy.upload"

    /// The name of the remote document that the app follows. Absent without one.
    ///
    /// String, the first half of a hash, such as `3b8aba47ac31728ffc3561019d45c35d`. Not in the conventions.
    package static let astrolabePolicyVersion = "astrolabe.policy.version"

    /// The part of the SDK's own use of the device that led to a step of the mode: `CPU`, `memory` or `network`.
    ///
    /// String, such as `CPU`. Not in the conventions.
    package static let astrolabeBudgetResource = "astrolabe.budget.resource"

    /// The measured use of it: a share of a core, bytes, or bytes an hour.
    ///
    /// Double, such as `0.042`. Not in the conventions.
    package static let astrolabeBudgetMeasured = "astrolabe.budget.measured"

    /// The most that may be used of it.
    ///
    /// Double, such as `0.05`. Not in the conventions.
    package static let astrolabeBudgetLimit = "astrolabe.budget.limit"

    /// The part of the conditions that changed: `network`, `power`, `thermal`, `memory` or `lifecycle`.
    ///
    /// String, such as `thermal`. Not in the conventions.
    package static let astrolabeConditionsPart = "astrolabe.conditions.part"

    /// The state that the part has left, in snake case.
    ///
    /// String, such as `serious`. Not in the conventions.
    package static let astrolabeConditionsState = "astrolabe.conditions.state"
}
