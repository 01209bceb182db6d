import ViewTree

/// Bindings to the elements of a collection.
public struct _BindingCollection<Base: MutableCollection & RandomAccessCollection>: RandomAccessCollection {
    public typealias Index = Base.Index

    let base: Binding<Base>
    private let current: Base

    init(_ base: Binding<Base>) {
        self.base = base
        current = base.wrappedValue
    }

    public var startIndex: Index { current.startIndex }
    public var endIndex: Index { current.endIndex }
    public func index(after i: Index) -> Index { current.index(after: i) }
    public func index(before i: Index) -> Index { current.index(before: i) }

    /// Returns a binding that keeps the last element that it had if the collection becomes shorter.
    public subscript(position: Index) -> Binding<Base.Element> {
        let location = base.location
        let element = current[position]
        return Binding(
            location: FunctionLocation(
                get: {
                    let whole = location.get()
                    return whole.indices.contains(position) ? whole[position] : element
                },
                set: { value, transaction in
                    var whole = location.get()
                    guard whole.indices.contains(position) else { return }
                    whole[position] = value
                    location.set(whole, transaction)
                },
            )
        )
    }
}

extension ForEach where Content: View {
    /// Creates views for bindings to the elements.
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content,
    ) where Data == _BindingCollection<C>, C.Element: Identifiable, ID == C.Element.ID {
        self.init(data: _BindingCollection(data), content: content, id: { $0.wrappedValue.id })
    }

    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content,
    ) where Data == _BindingCollection<C> {
        self.init(data: _BindingCollection(data), content: content, id: { $0.wrappedValue[keyPath: id] })
    }
}

extension List where SelectionValue == Never {
    public init<C: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<C>, @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> RowContent,
    )
    where Content == ForEach<_BindingCollection<C>, C.Element.ID, RowContent>, C.Element: Identifiable {
        self.init(content: ForEach(data, content: rowContent))
    }
}

/// Views made of a collection's elements.
public protocol DynamicViewContent: View {
    associatedtype Data: Collection
    var data: Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

/// A `ForEach` whose rows can be swiped away.
public struct _DeletableForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent {
    let base: ForEach<Data, ID, Content>
    let delete: (IndexSet) -> Void

    public var data: Data { base.data }

    public var body: some View {
        let delete = delete
        let content = base.content
        let offsets = Dictionary(
            base.data.enumerated().map { (base.id($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first }, )
        let id = base.id
        ForEach<Data, ID, _DeletableRow<Content>>(
            data: base.data,
            content: { element in
                _DeletableRow(content: content(element)) {
                    if let offset = offsets[id(element)] { delete(IndexSet(integer: offset)) }
                }
            },
            id: id,
        )
    }
}

/// A row with the system's action to delete it.
public struct _DeletableRow<Content: View>: View {
    let content: Content
    let delete: () -> Void
    @Environment(\.locale) private var locale

    public var body: some View {
        content.swipeActions {
            Button(SystemWord.delete.text(in: Translations.main.language(for: locale)), role: .destructive) { delete() }
        }
    }
}

extension ForEach where Content: View {
    /// Lets the user swipe a row away. The action removes the elements at the offsets.
    @MainActor
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        _DeletableForEach(base: self, delete: action ?? { _ in })
    }
}

extension MutableCollection where Self: RangeReplaceableCollection {
    /// Removes the elements at the offsets.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for offset in offsets.reversed() { remove(at: index(startIndex, offsetBy: offset)) }
    }
}

extension MutableCollection {
    /// Moves the elements at the offsets before the element at another offset.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let moved = source.map { all[$0] }
        let before = all.indices.filter { $0 < destination && !source.contains($0) }.map { all[$0] }
        let after = all.indices.filter { $0 >= destination && !source.contains($0) }.map { all[$0] }
        for (index, element) in zip(indices, before + moved + after) { self[index] = element }
    }
}
