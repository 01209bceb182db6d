/// A view for each element of a collection, identified by the element's id wherever it moves.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    let id: (Data.Element) -> ID
}

extension ForEach: View where Content: View {}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content, id: { $0.id })
    }
}

extension ForEach where Content: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.init(data: data, content: content, id: { $0[keyPath: id] })
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    /// Creates views for a constant range.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, content: content, id: { $0 })
    }
}

extension ForEach: Primitive, PrimitiveView where Content: View {
    func slots(in node: ViewNode) -> [Slot] {
        var occurrences: [ID: Int] = [:]
        return data.map { element in
            let id = id(element)
            let occurrence = occurrences[id, default: 0]
            occurrences[id] = occurrence + 1
            if occurrence == 1 {
                node.graph.report(.duplicateID(view: ViewName.short(Self.self), id: String(describing: id)))
            }
            return Slot(.element(AnyHashable(id), occurrence), content(element))
        }
    }

    func rendersLike(_ other: Self) -> Bool { true }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let keys = node.children.map(\.key)
        var merged = Output()
        for (key, child) in zip(keys, children) {
            var child = child
            if case .element(let id, _) = key {
                for index in child.elements.indices where child.elements[index].traits.tag == nil {
                    child.elements[index].traits.implicitTag = id
                }
            }
            merged.append(child)
        }
        return merged
    }
}
