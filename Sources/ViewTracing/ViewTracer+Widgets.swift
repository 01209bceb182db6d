extension ViewTracer {
    /// Records a tap on a control that a framework reports.
    ///
    /// Its id is the first that is known: the app's, the accessibility identifier, the name of its type. What the
    /// control says is never read, because it may be private.
    package func recordTap(_ id: String?, accessibilityIdentifier: String?, type: String, name: String? = nil) {
        let known = [id, accessibilityIdentifier].compactMap { $0 }.first { !$0.isEmpty }
        recordTap(known ?? type, name: name)
    }
}
