import ViewTree

/// The placement of an item in a page's bars.
public struct ToolbarItemPlacement: Hashable, Sendable {
    let name: String

    public static let automatic = ToolbarItemPlacement(name: "trailing")
    public static let principal = ToolbarItemPlacement(name: "principal")
    public static let navigationBarLeading = ToolbarItemPlacement(name: "leading")
    public static let navigationBarTrailing = ToolbarItemPlacement(name: "trailing")
    public static let primaryAction = ToolbarItemPlacement(name: "trailing")
    public static let confirmationAction = ToolbarItemPlacement(name: "trailing")
    public static let cancellationAction = ToolbarItemPlacement(name: "leading")
    public static let topBarLeading = ToolbarItemPlacement(name: "leading")
    public static let topBarTrailing = ToolbarItemPlacement(name: "trailing")
    public static let destructiveAction = ToolbarItemPlacement(name: "trailing")
    public static let navigation = ToolbarItemPlacement(name: "leading")
    public static let bottomBar = ToolbarItemPlacement(name: "bottom")
    public static let keyboard = ToolbarItemPlacement(name: "keyboard")
}

/// The content of a page's bars.
@MainActor
@preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent

    @ToolbarContentBuilder
    @MainActor
    @preconcurrency
    var body: Body { get }
}

extension Never: ToolbarContent {}

extension ToolbarContent where Body == Never {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Builds the content of a page's bars from the statements of a closure.
@MainActor
@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    /// A plain view is an item in the place of its system's choice.
    public static func buildExpression<V: View>(_ view: V) -> _ToolbarList {
        _ToolbarList(entries: [ToolbarEntry(placement: .automatic, content: view)])
    }

    public static func buildBlock() -> _ToolbarList { _ToolbarList(entries: []) }
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: ToolbarContent>(
        _ content: repeat each Content
    ) -> _ToolbarList {
        var entries: [ToolbarEntry] = []
        repeat entries.append(contentsOf: toolbarEntries(each content))
        return _ToolbarList(entries: entries)
    }

    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> Content? { content }

    public static func buildEither<Content: ToolbarContent>(first: Content) -> _ToolbarList {
        _ToolbarList(entries: toolbarEntries(first))
    }

    public static func buildEither<Content: ToolbarContent>(second: Content) -> _ToolbarList {
        _ToolbarList(entries: toolbarEntries(second))
    }
}

extension Optional: ToolbarContent where Wrapped: ToolbarContent {}

extension Optional: ToolbarEntries where Wrapped: ToolbarContent {
    fileprivate var entries: [ToolbarEntry] { map(toolbarEntries) ?? [] }
}

/// Items that may be absent.
@MainActor
private protocol ToolbarEntries {
    var entries: [ToolbarEntry] { get }
}

/// A sequence of items.
public struct _ToolbarList: ToolbarContent {
    public typealias Body = Never
    let entries: [ToolbarEntry]
}

extension _ToolbarList: ToolbarEntries {}

struct ToolbarEntry {
    let placement: ToolbarItemPlacement
    let content: any View
}

@MainActor
private func toolbarEntries<Content: ToolbarContent>(_ content: Content) -> [ToolbarEntry] {
    // Checks the type, because a cast of the value unwraps an Optional.
    func entries<E: ToolbarEntries>(_ type: E.Type) -> [ToolbarEntry] {
        withUnsafePointer(to: content) { UnsafeRawPointer($0).assumingMemoryBound(to: E.self).pointee }.entries
    }
    if let type = Content.self as? any ToolbarEntries.Type { return entries(type) }
    if let item = content as? any ToolbarEntryContent { return [item.entry] }
    return toolbarEntries(content.body)
}

@MainActor
private protocol ToolbarEntryContent {
    var entry: ToolbarEntry { get }
}

/// A bar item.
public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content
}

extension ToolbarItem where ID == () {
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.init(placement: placement, content: content())
    }
}

/// Several bar items in one place.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content

    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
}

extension ToolbarItem: ToolbarEntryContent {
    fileprivate var entry: ToolbarEntry { ToolbarEntry(placement: placement, content: content) }
}

extension ToolbarItemGroup: ToolbarEntryContent {
    fileprivate var entry: ToolbarEntry { ToolbarEntry(placement: placement, content: content) }
}

private struct ToolbarModifier: PrimitiveModifier {
    typealias Body = Never
    let entries: [ToolbarEntry]

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content)]
            + entries.enumerated().map { index, entry in
                Slot(.position(index + 1), entry.content) {
                    $0.isInList = false
                    $0.isInBar = true
                }
            }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        for (index, (entry, child)) in zip(entries, children.dropFirst()).enumerated() {
            output.preferences.presentations += child.preferences.presentations
            guard !child.elements.isEmpty else { continue }
            output.preferences.toolbar.append(
                RenderedNode(
                    id: node.wrapperID(.toolbarItem, around: node.children[index + 1].id), kind: .toolbarItem,
                    properties: ["placement": .string(entry.placement.name)], children: child.nodes))
        }
        return output
    }
}

extension View {
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        modifier(ToolbarModifier(entries: toolbarEntries(content())))
    }
}
