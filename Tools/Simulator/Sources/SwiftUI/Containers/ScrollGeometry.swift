public import Foundation
import ViewTree

/// The place of the content of a scroll view, and the sizes of both.
@available(iOS 18, macOS 15, *)
public struct ScrollGeometry: Equatable, Sendable {
    /// The point of the content at the corner of the scroll view. It is negative where a margin is in sight.
    public var contentOffset: CGPoint
    public var contentSize: CGSize
    /// The margins around the content: bars and the margins that the app sets.
    public var contentInsets: EdgeInsets
    /// The size of the scroll view.
    public var containerSize: CGSize

    public init(
        contentOffset: CGPoint, contentSize: CGSize, contentInsets: EdgeInsets, containerSize: CGSize,
    ) {
        self.contentOffset = contentOffset
        self.contentSize = contentSize
        self.contentInsets = contentInsets
        self.containerSize = containerSize
    }

    public var bounds: CGRect { CGRect(origin: contentOffset, size: containerSize) }

    /// The part of the content that no inset covers.
    public var visibleRect: CGRect {
        CGRect(
            x: contentOffset.x + contentInsets.leading, y: contentOffset.y + contentInsets.top,
            width: containerSize.width - contentInsets.leading - contentInsets.trailing,
            height: containerSize.height - contentInsets.top - contentInsets.bottom)
    }
}

/// A report of the page on a scroll view.
struct ScrollReport: Equatable {
    let geometry: ScrollGeometry
    /// The place of the scroll view on the screen.
    let origin: CGPoint
    /// The node of the first target in sight; `nil` without one.
    let target: Int?

    /// Reads the offset, the size of the content, that of the scroll view, the insets from the top on, the place on the
    /// screen, and the target or 0.
    init?(_ value: NodeValue?) {
        let numbers = (value?.list ?? []).compactMap(\.number)
        guard numbers.count == 13 else { return nil }
        let lengths = numbers.map { CGFloat($0) }
        geometry = ScrollGeometry(
            contentOffset: CGPoint(x: lengths[0], y: lengths[1]),
            contentSize: CGSize(width: lengths[2], height: lengths[3]),
            contentInsets: EdgeInsets(top: lengths[6], leading: lengths[7], bottom: lengths[8], trailing: lengths[9]),
            containerSize: CGSize(width: lengths[4], height: lengths[5]))
        origin = CGPoint(x: lengths[10], y: lengths[11])
        target = numbers[12] == 0 ? nil : Int(exactly: numbers[12])
    }
}

/// A scroll view around other views, which read its size and place.
@MainActor
final class ScrollContainer: Dependency {
    private weak var node: ViewNode?
    private let readers = Readers()
    private(set) var report: ScrollReport?
    /// True if a view inside reads the size or the place, so that the page reports them.
    private(set) var isRead = false

    init(_ node: ViewNode) {
        self.node = node
    }

    /// Returns the last report, and evaluates the reader again for the next one.
    func read(by reader: ViewNode) -> ScrollReport? {
        readers.insert(reader, inbox: reader.graph.inbox)
        reader.depend(on: self)
        if !isRead, let node {
            isRead = true
            node.graph.setNeedsUpdate(node)
        }
        return report
    }

    /// The size that is proposed to the scroll view, until the page reports one.
    var estimate: SizeEstimate? { node?.proposedSize }

    func accept(_ new: ScrollReport) {
        guard new != report else { return }
        report = new
        readers.notify()
    }

    func forget(_ node: ViewNode) { readers.remove(node) }
}

/// Something outside of a scroll view that gets its reports.
@MainActor
final class ScrollObserver {
    var observe: (ScrollReport, ViewNode) -> Void = { _, _ in }

    nonisolated init() {}
}

extension EnvironmentValues {
    private enum ObserversKey: EnvironmentKey {
        static let defaultValue: [ScrollObserver] = []
    }

    private enum ContainerKey: EnvironmentKey {
        static let defaultValue: ScrollContainer? = nil
    }

    /// The observers of the next scroll view inside.
    var scrollObservers: [ScrollObserver] {
        get { self[ObserversKey.self] }
        set { self[ObserversKey.self] = newValue }
    }

    /// The scroll view around.
    var scrollContainer: ScrollContainer? {
        get { self[ContainerKey.self] }
        set { self[ContainerKey.self] = newValue }
    }
}

/// Calls an action for changes of a value that depends on the geometry of a scroll view.
private struct GeometryChangeModifier<T: Equatable>: PrimitiveModifier {
    typealias Body = Never
    let transform: (ScrollGeometry) -> T
    let action: (T, T) -> Void

    private final class Seen {
        let observer = ScrollObserver()
        var value: T?
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let seen = node.storage as? Seen ?? Seen()
        node.storage = seen
        seen.observer.observe = { report, _ in
            let new = transform(report.geometry)
            defer { seen.value = new }
            if let old = seen.value, old != new { action(old, new) }
        }
        return [Slot(.position(0), content) { $0.scrollObservers.append(seen.observer) }]
    }
}

/// Scrolls to the view with an id, and writes the id of the first view in sight.
private struct ScrollPositionModifier<ID: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let position: Binding<ID?>
    let anchor: UnitPoint?

    private final class Position {
        let observer = ScrollObserver()
        let target: ScrollTarget
        var known: ID?

        init(_ target: ScrollTarget) {
            self.target = target
        }
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let state = node.storage as? Position ?? Position(ScrollTarget(node))
        node.storage = state
        let wanted = position.wrappedValue
        if wanted != state.known {
            state.known = wanted
            if let wanted {
                node.graph.enqueue(.change) {
                    state.target.scroll(to: AnyHashable(wanted), anchor: anchor)
                    state.target.prepare()
                }
            }
        }
        state.observer.observe = { report, scroll in
            guard let target = report.target, let id = scroll.graph.node(target)?.appID as? ID, id != state.known
            else { return }
            state.known = id
            position.wrappedValue = id
        }
        return [Slot(.position(0), content) { $0.scrollObservers.append(state.observer) }]
    }

    func didUpdate(_ node: ViewNode, from previous: ScrollPositionModifier?) {
        guard let target = (node.storage as? Position)?.target, target.isWaiting else { return }
        node.graph.enqueue(.change) { target.prepare() }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let command = (node.storage as? Position)?.target.command(), !output.elements.isEmpty else {
            return output
        }
        output.elements[0].node = output.elements[0].node.adding(["scrollTo": command])
        return output
    }
}

extension ViewNode {
    /// The id that the app gave to this node or to the nearest one around it.
    fileprivate var appID: Any? {
        var node: ViewNode? = self
        while let current = node {
            switch current.key {
            case .explicit(let value), .element(let value, _): return value.base
            default: node = current.parent
            }
        }
        return nil
    }

    /// The scroll view of this node, for the views inside.
    var scrollContainer: ScrollContainer {
        if let container = storage as? ScrollContainer { return container }
        let container = ScrollContainer(self)
        storage = container
        return container
    }

    /// Accepts the reports of the page on a scroll view, if anything reads them.
    ///
    /// - Returns: The actions of the rendered node.
    func acceptScrollReports(for container: ScrollContainer) -> [ViewAction] {
        let observers = environment.scrollObservers
        guard container.isRead || !observers.isEmpty else { return [] }
        handle(.scroll) { [weak self] (value: NodeValue?) -> Bool in
            guard let self, let report = ScrollReport(value) else { return false }
            container.accept(report)
            for observer in observers { observer.observe(report, self) }
            return true
        }
        return [.scroll]
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Binds the position of the scroll view here to the id of a view of its target layout.
    ///
    /// The binding has the first view in sight, and the scroll view scrolls to the view whose id the app sets.
    public func scrollPosition<ID: Hashable>(id: Binding<ID?>, anchor: UnitPoint? = nil) -> some View {
        modifier(ScrollPositionModifier(position: id, anchor: anchor))
    }

    /// Calls an action for changes of a value that depends on the geometry of the scroll view here.
    @available(iOS 18, macOS 15, *)
    public func onScrollGeometryChange<T: Equatable>(
        for type: T.Type, of transform: @escaping (ScrollGeometry) -> T,
        action: @escaping (_ oldValue: T, _ newValue: T) -> Void,
    ) -> some View {
        modifier(GeometryChangeModifier(transform: transform, action: action))
    }
}
