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
        self.init(content: ForEach(data, content: rowContent), selection: nil)
    }
}

/// Views made of a collection's elements.
public protocol DynamicViewContent: View {
    associatedtype Data: Collection
    var data: Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

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
