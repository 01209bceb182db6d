import Foundation
import ViewTree

/// The way in which a transition follows the scrolling.
@available(iOS 17, macOS 14, *)
public struct ScrollTransitionConfiguration: Hashable, Sendable {
    fileprivate enum Kind: Hashable, Sendable {
        case interactive
        case animated
        case identity
    }

    fileprivate let kind: Kind

    /// Follows the part of the view that is out of sight.
    public static let interactive = ScrollTransitionConfiguration(kind: .interactive)
    /// Changes once, when half of the view is out of sight.
    public static let animated = ScrollTransitionConfiguration(kind: .animated)
    /// Changes nothing.
    public static let identity = ScrollTransitionConfiguration(kind: .identity)
}

/// The place of a view in the part of a scroll view that is in sight.
@available(iOS 17, macOS 14, *)
public enum ScrollTransitionPhase: Hashable, Sendable {
    case topLeading
    /// In sight.
    case identity
    case bottomTrailing

    public var isIdentity: Bool { self == .identity }

    /// -1 before the visible part, 0 in it, and 1 after it.
    public var value: Double {
        switch self {
        case .topLeading: -1
        case .identity: 0
        case .bottomTrailing: 1
        }
    }
}

extension _VisualStep {
    /// Returns the step between this and another one of the same kind.
    fileprivate func mixed(with other: _VisualStep, by share: Double) -> _VisualStep {
        guard kind == other.kind else { return share < 0.5 ? self : other }
        let between = properties.merging(other.properties) { from, to in
            guard let from = from.number, let to = to.number else { return to }
            return .number(from + (to - from) * share)
        }
        return _VisualStep(kind: kind, properties: between)
    }
}

/// The part of a view that is out of sight in a scroll view, at its start or at its end.
private struct Hiding {
    let phase: ScrollTransitionPhase
    /// From 0 to 1.
    let share: Double

    init(_ frame: CGRect, in report: ScrollReport, axis: Axis?) {
        let geometry = report.geometry
        let isAcross =
            axis.map { $0 == .horizontal } ?? (geometry.contentSize.width > geometry.visibleRect.width + 1)
        let insets = geometry.contentInsets
        let start = isAcross ? report.origin.x + insets.leading : report.origin.y + insets.top
        let end = start + (isAcross ? geometry.visibleRect.width : geometry.visibleRect.height)
        let (first, last) = isAcross ? (frame.minX, frame.maxX) : (frame.minY, frame.maxY)
        let length = max(last - first, 1)
        let (before, after) = ((start - first) / length, (last - end) / length)
        phase = before > max(after, 0) ? .topLeading : after > 0 ? .bottomTrailing : .identity
        share = Double(min(max(before, after, 0), 1))
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Changes the look of the view where it is not wholly in sight in the scroll view around.
    ///
    /// - Parameter axis: `nil` for the direction in which the content is longer.
    ///
    /// Partly: Without a timing curve or a threshold. An animated one changes at once.
    public func scrollTransition(
        _ configuration: ScrollTransitionConfiguration = .interactive, axis: Axis? = nil,
        transition: @escaping @Sendable (EmptyVisualEffect, ScrollTransitionPhase) -> some VisualEffect,
    ) -> some View {
        modifier(
            VisualEffectModifier { proxy, node in
                let inSight = transition(EmptyVisualEffect(), .identity)._steps
                guard configuration.kind != .identity,
                    let report = node.environment.scrollContainer?.read(by: node)
                else { return inSight }
                let hiding = Hiding(proxy.frame(in: .global), in: report, axis: axis)
                let out = transition(EmptyVisualEffect(), hiding.phase)._steps
                let share = configuration.kind == .animated ? hiding.share.rounded() : hiding.share
                guard inSight.count == out.count else { return share < 0.5 ? inSight : out }
                return zip(inSight, out).map { $0.mixed(with: $1, by: share) }
            })
    }
}
