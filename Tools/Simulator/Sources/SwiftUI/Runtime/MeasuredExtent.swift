import Foundation
import ViewTree

/// The size and the place of a node whose content depends on them.
///
/// The page reports them. Until then, and without a page, they are estimates. A size that alternates between two values
/// is kept after a number of reports, because the content then decides its own size.
@MainActor
final class MeasuredExtent {
    /// The number of reports that go back and forth between two sizes, after which the size is kept.
    static let flipLimit = 25
    /// A pause between two reports after which they are not counted as one series.
    private static let pause = Duration.milliseconds(500)

    private var reported: MeasuredFrame?
    private var beforeThat: MeasuredFrame?
    private var flips = 0
    private var lastReport = Duration.zero
    private var estimate: SizeEstimate?
    /// The interest of content that reads the place; `nil` if none does. A view that reads the size alone has none.
    var interest: PlaceInterest?

    func current(for node: ViewNode) -> MeasuredFrame {
        let estimate = node.estimatedSize(in: node.proposedSize)
        self.estimate = estimate
        return reported ?? MeasuredFrame(estimate)
    }

    /// Returns true if the node must be evaluated for another estimate.
    func estimateChanged(for node: ViewNode) -> Bool {
        reported == nil && estimate != node.estimatedSize(in: node.proposedSize)
    }

    /// - Returns: Whether the node must be evaluated again.
    func accept(_ new: MeasuredFrame, for node: ViewNode) -> Bool {
        let now = node.graph.frameTime
        defer { lastReport = now }
        let old = reported ?? estimate.map(MeasuredFrame.init)
        guard let old, !new.isClose(to: old) || reported == nil else { return reported == nil }
        if now - lastReport > Self.pause { flips = 0 }
        if !new.hasSameSize(as: old) {
            flips = beforeThat.map(new.hasSameSize) == true ? flips + 1 : 0
            guard flips < Self.flipLimit else {
                node.graph.report(.unstableSize(view: node.nearestViewName, reports: Self.flipLimit))
                return false
            }
            beforeThat = old
        }
        reported = new
        return !new.isClose(to: old)
    }
}

extension MeasuredFrame {
    /// The estimate of a view at the top leading corner of the safe area.
    init(_ estimate: SizeEstimate) {
        self.init(
            width: estimate.width ?? SizeEstimate.ideal, height: estimate.height ?? SizeEstimate.ideal,
            origin: Place(x: 0, y: Double(estimate.insets.top)),
            insets: [
                Double(estimate.insets.top), Double(estimate.insets.leading), Double(estimate.insets.bottom),
                Double(estimate.insets.trailing),
            ],
        )
    }
}

extension ViewNode {
    /// The size of the node. Its primitive must not use the storage for anything else.
    var extent: MeasuredExtent {
        if let extent = storage as? MeasuredExtent { return extent }
        let extent = MeasuredExtent()
        storage = extent
        graph.keep(extent, of: self)
        return extent
    }

    /// Accepts the page's reports while the output is shown. The rendered node must list the action.
    func acceptMeasurements() {
        handle(.measure) { [weak self] (value: NodeValue?) -> Bool in
            guard let self, let measurement = MeasuredFrame(value) else { return false }
            if extent.accept(measurement, for: self) { graph.setNeedsUpdate(self) }
            return true
        }
    }
}
