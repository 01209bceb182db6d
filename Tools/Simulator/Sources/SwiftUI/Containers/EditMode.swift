/// The state of a list that the user can edit.
public enum EditMode: Hashable, Sendable {
    case inactive
    /// The user edits one row, such as by a swipe. The stand-in never sets it.
    case transient
    case active

    /// True if the mode is not inactive.
    public var isEditing: Bool { self != .inactive }
}

extension EnvironmentValues {
    private enum EditModeKey: EnvironmentKey {
        static var defaultValue: Binding<EditMode>? { nil }
    }

    /// The edit mode of the page. A list shows its controls to delete, move and select rows by it.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }

    var isEditing: Bool { editMode?.wrappedValue.isEditing ?? false }
}

/// The edit mode of a window, a sheet or a page of a stack.
final class EditScope {
    private let mode = StateLocation(EditMode.inactive, owner: "EditMode")

    var binding: Binding<EditMode> { Binding(location: mode) }
}

extension ViewNode {
    /// The edit mode of this node, which its descendants share.
    var editScope: EditScope {
        if let scope = storage as? EditScope { return scope }
        let scope = EditScope()
        storage = scope
        return scope
    }
}

/// A button that starts and ends the editing of a list, with the system's words.
public struct EditButton: View {
    @Environment(\.editMode) private var editMode
    @Environment(\.locale) private var locale

    public init() {}

    public var body: some View {
        let isEditing = editMode?.wrappedValue.isEditing ?? false
        let word = isEditing ? SystemWord.done : .edit
        Button(word.text(for: locale)) {
            withAnimation { editMode?.wrappedValue = isEditing ? .inactive : .active }
        }
    }
}
