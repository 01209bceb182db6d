import Foundation

/// The changes that a user may make to the rows of a loop.
public struct EditActions<Data>: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

extension EditActions where Data: MutableCollection {
    public static var move: EditActions<Data> { EditActions(rawValue: 1) }
}

extension EditActions where Data: RangeReplaceableCollection {
    public static var delete: EditActions<Data> { EditActions(rawValue: 2) }
}

extension EditActions where Data: MutableCollection & RangeReplaceableCollection {
    public static var all: EditActions<Data> { EditActions(rawValue: 3) }
}

extension ForEach {
    /// Creates rows over bindings that the user may delete or move, which changes the collection.
    @MainActor
    public init<C, RowContent: View>(
        _ data: Binding<C>, editActions: EditActions<C>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> RowContent,
    )
    where
        C: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, C.Element: Identifiable,
        Data == _BindingCollection<C>, ID == C.Element.ID, Content == _EditableRow<RowContent>
    {
        self.init(data, id: \.id, editActions: editActions, content: content)
    }

    @MainActor
    public init<C, RowContent: View>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>, editActions: EditActions<C>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> RowContent,
    )
    where
        C: MutableCollection & RandomAccessCollection & RangeReplaceableCollection,
        Data == _BindingCollection<C>, Content == _EditableRow<RowContent>
    {
        let actions = RowActions()
        actions.delete = { data.wrappedValue.remove(atOffsets: $0) }
        actions.move = { data.wrappedValue.move(fromOffsets: $0, toOffset: $1) }
        let rows = ForEach<Data, ID, RowContent>(
            data: _BindingCollection(data), content: content, id: { $0.wrappedValue[keyPath: id] })
        self = rows.editable(
            actions, deletes: editActions.contains(rawValue: 2), moves: editActions.contains(rawValue: 1))
    }
}

extension EditActions {
    fileprivate func contains(rawValue: Int) -> Bool { self.rawValue & rawValue != 0 }
}

extension List {
    /// Creates a list over bindings whose rows the user may delete, move or select.
    public init<C, RowContent: View>(
        _ data: Binding<C>, editActions: EditActions<C>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> RowContent,
    )
    where
        C: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, C.Element: Identifiable,
        Content == ForEach<_BindingCollection<C>, C.Element.ID, _EditableRow<RowContent>>
    {
        self.init(selection: selection) { ForEach(data, editActions: editActions, content: rowContent) }
    }
}

extension List where SelectionValue == Never {
    /// Creates a list over bindings whose rows the user may delete or move.
    public init<C, RowContent: View>(
        _ data: Binding<C>, editActions: EditActions<C>,
        @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> RowContent,
    )
    where
        C: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, C.Element: Identifiable,
        Content == ForEach<_BindingCollection<C>, C.Element.ID, _EditableRow<RowContent>>
    {
        self.init(content: ForEach(data, editActions: editActions, content: rowContent), selection: nil)
    }
}
