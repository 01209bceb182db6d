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

    private enum HidesBackgroundKey: EnvironmentKey {
        static let defaultValue = false
    }

    var hidesListBackground: Bool {
        get { self[HidesBackgroundKey.self] }
        set { self[HidesBackgroundKey.self] = newValue }
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

struct TraitModifier: PrimitiveModifier {
    typealias Body = Never
    let change: (inout Traits) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices { change(&output.elements[index].traits) }
        return output
    }
}

private struct BadgeModifier: PrimitiveModifier {
    typealias Body = Never
    let label: Text?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let words = label?.text(in: node.environment)
        for index in output.elements.indices { output.elements[index].traits.badge = words }
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

private struct SeparatorTintModifier: PrimitiveModifier {
    typealias Body = Never
    let color: Color?
    let edges: VerticalEdge.Set

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let color else { return output }
        let tint = NodeValue.string(resolved(color, in: node.environment))
        for index in output.elements.indices {
            if edges.contains(.top) { output.elements[index].traits.listRow["tintAbove"] = tint }
            if edges.contains(.bottom) { output.elements[index].traits.listRow["tintBelow"] = tint }
        }
        return output
    }
}

struct SwipeActionsModifier<T: View>: PrimitiveModifier {
    typealias Body = Never
    let edge: HorizontalEdge
    let actions: T
    /// True for the system's action, which only rows have that the user may delete.
    var isDeletion = false

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), actions)]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        for index in output.elements.indices where !isDeletion || output.elements[index].traits.isDeletable {
            let actions = children[1].nodes
            let row = output.elements[index].node.id
            let own = index == 0 ? actions : actions.map { node.copy($0, for: row) }
            switch edge {
            case .leading: output.elements[index].traits.leadingSwipeActions += own
            case .trailing: output.elements[index].traits.swipeActions += own
            }
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

    @available(*, unavailable, message: "SwiftUI on Linux lacks listRowBackground of a view. Use a Color.")
    @_disfavoredOverload
    public func listRowBackground<V: View>(_ view: V?) -> some View { self }

    /// Hides the background of lists and forms, or shows it.
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        environment(\.hidesListBackground, visibility == .hidden)
    }

    public func badge(_ count: Int) -> some View {
        modifier(TraitModifier { $0.badge = count == 0 ? nil : String(count) })
    }

    public func badge(_ label: Text?) -> some View { modifier(BadgeModifier(label: label)) }
    public func badge(_ key: LocalizedStringKey?) -> some View { badge(key.map { Text($0) }) }

    @_disfavoredOverload
    public func badge<S: StringProtocol>(_ label: S?) -> some View { badge(label.map { Text($0) }) }

    public func listRowSeparator(_ visibility: Visibility) -> some View {
        modifier(TraitModifier { if visibility == .hidden { $0.listRow["separator"] = false } })
    }

    /// Colors the lines above and below a row. The lower one is that of the next row, unless that colors its own.
    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View {
        modifier(SeparatorTintModifier(color: color, edges: edges))
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

    /// Adds actions that appear when the user swipes a row from an edge.
    ///
    /// Partly: A full swipe shows the actions, and does not perform the first one.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T,
    ) -> some View {
        modifier(SwipeActionsModifier(edge: edge, actions: content()))
    }
}
