/// One view of a builder's closure, with groups, loops and conditions resolved.
struct FlatView {
    let key: SlotKey
    let view: any View
    /// From the view's modifiers, or the id in a `ForEach`.
    let tag: AnyHashable?
}

/// Views that a container places one by one.
@MainActor
protocol FlatContent {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)]
}

/// Returns the views of a container's content one by one. A view of the app counts as one.
@MainActor
func flattened(_ content: any View, in node: ViewNode) -> [FlatView] {
    var views: [FlatView] = []
    flatten(content, path: [], tag: nil, node, { $0 }, &views)
    return views
}

@MainActor
private func flatten(
    _ view: any View, path: [SlotKey], tag: AnyHashable?, _ node: ViewNode, _ wrap: (any View) -> any View,
    _ views: inout [FlatView],
) {
    if let list = view as? any FlatContent {
        for part in list.parts(in: node) {
            var tag = tag
            if tag == nil, case .element(let id, _) = part.key { tag = id }
            flatten(part.view, path: path + [part.key], tag: tag, node, wrap, &views)
        }
    } else if let modified = view as? any AnyModifiedContent, containsList(modified.anyContent) {
        let given = (modified.anyModifier as? any TagProviding)?.anyTag
        flatten(
            modified.anyContent, path: path + [.position(0)], tag: given ?? tag, node,
            { wrap(modified.replacingContent(with: $0)) }, &views)
    } else {
        let key = path.count == 1 ? path[0] : SlotKey.element(AnyHashable(path), 0)
        views.append(FlatView(key: key, view: wrap(view), tag: givenTag(of: view) ?? tag))
    }
}

@MainActor
private func containsList(_ view: any View) -> Bool {
    if view is any FlatContent { return true }
    return (view as? any AnyModifiedContent).map { containsList($0.anyContent) } ?? false
}

/// Returns the tag of a view, from its modifiers.
@MainActor
private func givenTag(of view: any View) -> AnyHashable? {
    guard let modified = view as? any AnyModifiedContent else { return nil }
    return (modified.anyModifier as? any TagProviding)?.anyTag ?? givenTag(of: modified.anyContent)
}

extension TupleView: FlatContent {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] {
        children.enumerated().map { (.position($0.offset), $0.element) }
    }
}

extension Group: FlatContent where Content: View {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] { [(.position(0), content)] }
}

extension ForEach: FlatContent where Content: View {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] {
        slots(in: node).map { ($0.key, $0.view) }
    }
}

extension Optional: FlatContent where Wrapped: View {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] {
        map { [(.position(0), $0)] } ?? []
    }
}

extension _ConditionalContent: FlatContent where TrueContent: View, FalseContent: View {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] {
        switch storage {
        case .trueContent(let content): [(.branch(true), content)]
        case .falseContent(let content): [(.branch(false), content)]
        }
    }
}

extension EmptyView: FlatContent {
    func parts(in node: ViewNode) -> [(key: SlotKey, view: any View)] { [] }
}
