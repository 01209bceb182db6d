/// The attributes of view spans; see ``SpanName/view(_:)``.
extension AttributeKey {
    /// The name the developer gave the view, the same in every release.
    ///
    /// String, such as `HomeScreen`. Not in the conventions.
    package static let viewName = "view.name"

    /// The framework that draws the view.
    ///
    /// String, such as `swiftui`. Not in the conventions.
    package static let viewType = "view.type"

    /// The number of the evaluation of the body that a `.body` span measured, counted from 1.
    ///
    /// Int, such as `3`. Not in the conventions.
    package static let viewBodyEvaluation = "view.body.evaluation"

    /// The moment of the view's life that a child span marks; see ``KnownValue/ViewLifecycle``.
    ///
    /// String, such as `onAppear`. Not in the conventions.
    package static let viewLifecycle = "view.lifecycle"

    /// The number of times that the view has appeared, this time included.
    ///
    /// Int, such as `1`. Not in the conventions.
    package static let viewAppearCount = "view.appear.count"

    /// The number of times that the view has disappeared, this time included.
    ///
    /// Int, such as `1`. Not in the conventions.
    package static let viewDisappearCount = "view.disappear.count"
}
