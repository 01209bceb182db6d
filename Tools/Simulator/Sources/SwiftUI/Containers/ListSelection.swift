import ViewTree

/// The selected rows of a list.
enum ListSelection<Value: Hashable> {
    case one(Binding<Value?>)
    case several(Binding<Set<Value>>)
}

/// The selection of a list for its rows, whatever the type of the values is.
struct RowSelection {
    /// True if several rows can be selected, which needs the edit mode.
    let isMultiple: Bool
    /// Returns whether the row is selected; `nil` if its tag has another type than the selection.
    let state: @MainActor (AnyHashable) -> Bool?
    let choose: @MainActor (AnyHashable) -> Void

    @MainActor
    init<Value: Hashable>(_ selection: ListSelection<Value>) {
        switch selection {
        case .one(let binding):
            isMultiple = false
            state = { tag in (tag.base as? Value).map { binding.wrappedValue == $0 } }
            choose = { tag in if let value = tag.base as? Value { binding.wrappedValue = value } }
        case .several(let binding):
            isMultiple = true
            state = { tag in (tag.base as? Value).map { binding.wrappedValue.contains($0) } }
            choose = { tag in
                guard let value = tag.base as? Value else { return }
                binding.wrappedValue.formSymmetricDifference([value])
            }
        }
    }
}

extension EnvironmentValues {
    private enum RowSelectionKey: EnvironmentKey {
        static var defaultValue: RowSelection? { nil }
    }

    var rowSelection: RowSelection? {
        get { self[RowSelectionKey.self] }
        set { self[RowSelectionKey.self] = newValue }
    }
}

extension List {
    /// Creates a list whose rows can be selected one at a time, by their tag or their id in a `ForEach`.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.init(content: content(), selection: selection.map { .one($0) })
    }

    /// Creates a list of which several rows can be selected in edit mode.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.init(content: content(), selection: selection.map { .several($0) })
    }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(content: ForEach(data, content: rowContent), selection: selection.map { .one($0) })
    }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(content: ForEach(data, content: rowContent), selection: selection.map { .several($0) })
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init(content: ForEach(data, id: id, content: rowContent), selection: selection.map { .one($0) })
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init(content: ForEach(data, id: id, content: rowContent), selection: selection.map { .several($0) })
    }
}
