/// The edits that a row does not allow; `nil` for what is not said.
struct DisabledEdits: Hashable {
    var delete: Bool?
    var move: Bool?
}

extension EnvironmentValues {
    private enum DisabledEditsKey: EnvironmentKey {
        static let defaultValue = DisabledEdits()
    }

    var disabledEdits: DisabledEdits {
        get { self[DisabledEditsKey.self] }
        set { self[DisabledEditsKey.self] = newValue }
    }

    /// Returns what is said for all rows of the `ForEach`, or else what the row says.
    func disables(_ edit: KeyPath<DisabledEdits, Bool?>, of row: DisabledEdits) -> Bool {
        disabledEdits[keyPath: edit] ?? row[keyPath: edit] ?? false
    }
}

/// Disables an edit of a row, or of all rows of a `ForEach`. The outermost of several modifiers counts.
private struct DisabledEditModifier: PrimitiveModifier {
    typealias Body = Never
    var delete: Bool?
    var move: Bool?

    func changeEnvironment(_ values: inout EnvironmentValues) {
        let outer = values.disabledEdits
        values.disabledEdits = DisabledEdits(delete: outer.delete ?? delete, move: outer.move ?? move)
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices {
            let inner = output.elements[index].traits.disabledEdits
            output.elements[index].traits.disabledEdits = DisabledEdits(
                delete: delete ?? inner.delete, move: move ?? inner.move)
        }
        return output
    }
}

extension View {
    /// Lets the user not delete the row by `onDelete`.
    public func deleteDisabled(_ isDisabled: Bool) -> some View { modifier(DisabledEditModifier(delete: isDisabled)) }

    /// Lets the user not move the row by `onMove`.
    public func moveDisabled(_ isDisabled: Bool) -> some View { modifier(DisabledEditModifier(move: isDisabled)) }
}
