import ViewTree

/// The style of a list.
@MainActor
@preconcurrency
public protocol ListStyle {
    var _kind: _ListStyleKind { get }
}

public enum _ListStyleKind: Hashable, Sendable {
    case automatic
    case plain
    case grouped
    case insetGrouped

    var name: String { String(describing: self) }
}

public struct PlainListStyle: ListStyle {
    public init() {}
    public var _kind: _ListStyleKind { .plain }
}

public struct GroupedListStyle: ListStyle {
    public init() {}
    public var _kind: _ListStyleKind { .grouped }
}

public struct InsetGroupedListStyle: ListStyle {
    public init() {}
    public var _kind: _ListStyleKind { .insetGrouped }
}

extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}

extension ListStyle where Self == GroupedListStyle {
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}

extension ListStyle where Self == InsetGroupedListStyle {
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// The action that reloads a view's content.
public struct RefreshAction: Sendable {
    fileprivate let action: @Sendable () async -> Void

    public func callAsFunction() async { await action() }
}

/// The visibility of a part of a view.
public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic
    case visible
    case hidden
}

extension EnvironmentValues {
    private enum ListStyleKey: EnvironmentKey {
        static let defaultValue = _ListStyleKind.automatic
    }

    private enum IsInListKey: EnvironmentKey {
        static let defaultValue = false
    }

    private enum RefreshKey: EnvironmentKey {
        static let defaultValue: RefreshAction? = nil
    }

    var listStyle: _ListStyleKind {
        get { self[ListStyleKey.self] }
        set { self[ListStyleKey.self] = newValue }
    }

    var isInList: Bool {
        get { self[IsInListKey.self] }
        set { self[IsInListKey.self] = newValue }
    }

    /// The action set by ``View/refreshable(action:)``.
    public internal(set) var refresh: RefreshAction? {
        get { self[RefreshKey.self] }
        set { self[RefreshKey.self] = newValue }
    }
}

private struct TraitModifier: PrimitiveModifier {
    typealias Body = Never
    let change: (inout Traits) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices { change(&output.elements[index].traits) }
        return output
    }
}

private struct RowBackgroundModifier: PrimitiveModifier {
    typealias Body = Never
    let color: Color?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let color else { return output }
        let fill = NodeValue.string(resolved(color, in: node.environment))
        for index in output.elements.indices { output.elements[index].traits.listRow["background"] = fill }
        return output
    }
}

private struct SwipeActionsModifier<T: View>: PrimitiveModifier {
    typealias Body = Never
    let actions: T

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), actions)]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        for index in output.elements.indices {
            let actions = children[1].nodes
            let row = output.elements[index].node.id
            output.elements[index].traits.swipeActions +=
                index == 0 ? actions : actions.map { node.copy($0, for: row) }
        }
        return output
    }
}

extension View {
    public func listStyle<S: ListStyle>(_ style: S) -> some View { environment(\.listStyle, style._kind) }

    /// Lets the user pull the list to reload it.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        environment(\.refresh, RefreshAction(action: action))
    }

    public func badge(_ count: Int) -> some View {
        modifier(TraitModifier { $0.badge = count == 0 ? nil : String(count) })
    }

    public func listRowSeparator(_ visibility: Visibility) -> some View {
        modifier(TraitModifier { if visibility == .hidden { $0.listRow["separator"] = false } })
    }

    public func listRowBackground(_ color: Color?) -> some View { modifier(RowBackgroundModifier(color: color)) }

    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        modifier(
            TraitModifier { traits in
                guard let insets else { return }
                traits.listRow["insets"] = .list(
                    [insets.top, insets.leading, insets.bottom, insets.trailing].map { .number(Double($0)) })
            }
        )
    }

    /// Adds actions that appear when the user swipes a row from its trailing edge.
    public func swipeActions<T: View>(allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T) -> some View {
        modifier(SwipeActionsModifier(actions: content()))
    }
}
