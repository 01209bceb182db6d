public import Foundation
import ViewTree

/// A view whose content depends on its own size and place.
///
/// It takes all the space that it is offered, and puts its content at the top leading corner.
public struct GeometryReader<Content: View>: View {
    public var content: (GeometryProxy) -> Content

    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
        self.content = content
    }
}

extension GeometryReader: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let extent = node.extent
        let proxy = GeometryProxy(
            measurement: extent.current(for: node), spaces: node.environment.coordinateSpaces,
            interest: extent.interest(of: node))
        return [Slot(.position(0), content(proxy))]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        node.acceptMeasurements()
        return Output(
            RenderedNode(
                id: node.id, kind: .geometry,
                properties: node.extent.interest(of: node).isPlaceRead ? ["place": true] : [:], actions: [.measure],
                children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }
}

extension GeometryReader: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        var inner = outer
        inner.width = outer.width ?? SizeEstimate.ideal
        inner.height = outer.height ?? SizeEstimate.ideal
        return inner
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate {
        proposal(to: node, of: node, from: outer)
    }
}

/// The size and the place of a `GeometryReader`.
public struct GeometryProxy {
    let measurement: MeasuredFrame
    let spaces: [AnyHashable: Int]
    let interest: PlaceInterest

    /// The size in points.
    public var size: CGSize { CGSize(width: measurement.width, height: measurement.height) }

    /// The insets of the safe area at the edges that the reader touches.
    public var safeAreaInsets: EdgeInsets {
        interest.notePlaceRead()
        let insets = measurement.insets.map { CGFloat($0) }
        return EdgeInsets(top: insets[0], leading: insets[1], bottom: insets[2], trailing: insets[3])
    }

    /// Returns the frame in a coordinate space. An unknown name means the screen, as in Apple's SwiftUI.
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect {
        var place = MeasuredFrame.Place(x: 0, y: 0)
        switch coordinateSpace {
        case .local: return CGRect(origin: .zero, size: size)
        case .global: place = measurement.origin
        case .named(let name): place = spaces[name].flatMap { measurement.places[$0] } ?? measurement.origin
        }
        interest.notePlaceRead()
        return CGRect(origin: CGPoint(x: place.x, y: place.y), size: size)
    }
}

/// The interest of content that reads more than the size. The page then also reports changes of the place.
final class PlaceInterest: Sendable {
    private let isRead = MutexValue(false)
    private let update: @Sendable () -> Void

    init(update: @escaping @Sendable () -> Void) {
        self.update = update
    }

    var isPlaceRead: Bool { isRead.value }

    /// Outside of an evaluation, as in an action, the node is evaluated once more.
    func notePlaceRead() {
        guard !isRead.value else { return }
        isRead.update { $0 = true }
        if Evaluation.current == nil { update() }
    }
}

extension MeasuredExtent {
    func interest(of node: ViewNode) -> PlaceInterest {
        if let interest { return interest }
        let inbox = node.graph.inbox
        let new = PlaceInterest { [weak node] in if let node { inbox.add(node) } }
        interest = new
        return new
    }
}
