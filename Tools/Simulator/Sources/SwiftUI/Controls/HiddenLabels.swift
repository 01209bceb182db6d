import ViewTree

extension EnvironmentValues {
    private enum HidesLabelsKey: EnvironmentKey {
        static let defaultValue = false
    }

    var hidesLabels: Bool {
        get { self[HidesLabelsKey.self] }
        set { self[HidesLabelsKey.self] = newValue }
    }

    /// Returns true if the label of a control is hidden here. That of a slider and a field never takes space.
    func hidesLabel(of kind: NodeKind) -> Bool {
        hidesLabels && [.toggle, .stepper, .picker, .datePicker, .colorPicker].contains(kind)
    }
}

extension View {
    /// Hides the labels of the controls here. Assistive technologies read them.
    ///
    /// Partly: Toggles, steppers and pickers. A style of the app shows the label.
    public func labelsHidden() -> some View { environment(\.hidesLabels, true) }
}
