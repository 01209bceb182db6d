import DeviceLink
import Foundation
import ViewTree

/// The size that a view is offered, as far as it is known without the page.
///
/// It is the screen less the safe area, the fixed frames and the padding around the view. What other views take is not
/// known. A missing length is one that a scroll view leaves open.
struct SizeEstimate: Hashable {
    var width: Double?
    var height: Double?
    /// The safe area at the edges that the view touches.
    var insets = EdgeInsets()

    /// The length that a view gets which fills an open direction, as Apple's has.
    static let ideal = 10.0
}

extension SizeEstimate {
    /// Creates the estimate that the window of the device offers.
    init(_ device: DeviceProfile) {
        self.init(
            width: Double(device.width - 2 * device.safeSide),
            height: Double(device.height - device.safeTop - device.safeBottom),
            insets: EdgeInsets(
                top: CGFloat(device.safeTop), leading: CGFloat(device.safeSide), bottom: CGFloat(device.safeBottom),
                trailing: CGFloat(device.safeSide)))
    }
}

/// A primitive whose effect on sizes is known.
@MainActor
protocol SizeRule {
    /// Returns the size that the child with this key is offered.
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate
    /// Returns the size that the node takes.
    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate
}

extension SizeRule {
    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate {
        node.children.first?.estimatedSize(in: outer) ?? outer
    }
}

extension ViewNode {
    /// The size that the views around the node offer it.
    var proposedSize: SizeEstimate {
        guard let parent else { return SizeEstimate(environment.device) }
        let outer = parent.proposedSize
        return parent.sizeRule?.proposal(to: self, of: parent, from: outer) ?? outer
    }

    /// The size that the node takes. Where its content decides, it is the proposed one.
    func estimatedSize(in outer: SizeEstimate) -> SizeEstimate {
        if let sizeRule { return sizeRule.size(of: self, in: outer) }
        return children.count == 1 ? children[0].estimatedSize(in: outer) : outer
    }
}

extension Modified: SizeRule where Modifier: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        modifier.proposal(to: child, of: node, from: outer)
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate { modifier.size(of: node, in: outer) }
}

extension FrameModifier: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        var inner = outer
        if let width { (inner.width, inner.insets.leading, inner.insets.trailing) = (Double(width), 0, 0) }
        if let height { (inner.height, inner.insets.top, inner.insets.bottom) = (Double(height), 0, 0) }
        return inner
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate {
        let inner = proposal(to: node, of: node, from: outer)
        guard width == nil || height == nil, let content = node.children.first?.estimatedSize(in: inner) else {
            return inner
        }
        return SizeEstimate(
            width: width.map(Double.init) ?? content.width, height: height.map(Double.init) ?? content.height)
    }
}

extension WrapModifier: SizeRule {
    private func length(_ name: String) -> Double { properties[name]?.number ?? 0 }

    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        var inner = outer
        switch kind {
        case .padding:
            inner.width = outer.width.map { max(0, $0 - length("leading") - length("trailing")) }
            inner.height = outer.height.map { max(0, $0 - length("top") - length("bottom")) }
            if length("top") > 0 { inner.insets.top = 0 }
            if length("bottom") > 0 { inner.insets.bottom = 0 }
        case .frame:
            inner.width = limited(outer.width, "minWidth", "maxWidth")
            inner.height = limited(outer.height, "minHeight", "maxHeight")
        case .ignoresSafeArea:
            let edges = Edge.Set(rawValue: Int8(length("edges")))
            if edges.contains(.top) { inner.grow(\.top) }
            if edges.contains(.bottom) { inner.grow(\.bottom) }
        default: break
        }
        return inner
    }

    private func limited(_ length: Double?, _ least: String, _ most: String) -> Double? {
        length.map { max(min($0, properties[most]?.number ?? .infinity), properties[least]?.number ?? 0) }
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate {
        let inner = proposal(to: node, of: node, from: outer)
        guard var size = node.children.first?.estimatedSize(in: inner) else { return outer }
        guard kind == .padding else { return size }
        size.width = size.width.map { $0 + length("leading") + length("trailing") }
        size.height = size.height.map { $0 + length("top") + length("bottom") }
        return size
    }
}

extension SizeEstimate {
    fileprivate mutating func grow(_ edge: WritableKeyPath<EdgeInsets, CGFloat>) {
        height = height.map { $0 + Double(insets[keyPath: edge]) }
        insets[keyPath: edge] = 0
    }
}

extension LayerModifier: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        guard child.key == .position(1), let content = node.children.first else { return outer }
        return content.estimatedSize(in: outer)
    }
}

extension ScrollView: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        SizeEstimate(
            width: axes.contains(.horizontal) ? nil : outer.width,
            height: axes.contains(.vertical) ? nil : outer.height)
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate { outer }
}

extension List: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        SizeEstimate(width: outer.width, height: nil)
    }

    func size(of node: ViewNode, in outer: SizeEstimate) -> SizeEstimate { outer }
}

extension SheetModifier: SizeRule {
    func proposal(to child: ViewNode, of node: ViewNode, from outer: SizeEstimate) -> SizeEstimate {
        child.key == .position(0) ? outer : SizeEstimate(node.environment.device)
    }
}
