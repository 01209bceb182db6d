private struct IdentityModifier<ID: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let id: ID

    func slots(content: any View, in node: ViewNode) -> [Slot] { [Slot(.explicit(AnyHashable(id)), content)] }
}

private struct TagModifier<V: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let tag: V

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices { output.elements[index].traits.tag = AnyHashable(tag) }
        return output
    }
}

/// A modifier that sets a tag.
@MainActor
protocol TagProviding {
    var anyTag: AnyHashable { get }
}

extension TagModifier: TagProviding {
    fileprivate var anyTag: AnyHashable { AnyHashable(tag) }
}

extension View {
    /// Binds the view's identity to a value. With another value, the view has new state.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        modifier(IdentityModifier(id: id))
    }

    /// Sets the tag that a picker or a tab view uses for this view.
    public func tag<V: Hashable>(_ tag: V) -> some View {
        modifier(TagModifier(tag: tag))
    }
}
