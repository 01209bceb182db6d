public import Foundation

public enum VerticalEdge: Int8, CaseIterable, Sendable {
    case top
    case bottom

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        public static let top = Set(rawValue: 1)
        public static let bottom = Set(rawValue: 2)
        public static let all: Set = [.top, .bottom]
    }
}

public enum HorizontalEdge: Int8, CaseIterable, Sendable {
    case leading
    case trailing
}

extension View {
    /// Shows content at an edge, beside the view.
    ///
    /// Partly: The view ends at the content, and does not scroll under it.
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V,
    ) -> some View {
        let inset = content()
        return VStack(spacing: spacing) {
            if edge == .top {
                inset.frame(maxWidth: .infinity, alignment: Alignment(horizontal: alignment, vertical: .center))
            }
            self.frame(maxWidth: .infinity, maxHeight: .infinity)
            if edge == .bottom {
                inset.frame(maxWidth: .infinity, alignment: Alignment(horizontal: alignment, vertical: .center))
            }
        }
    }

    /// Shows content at a side, beside the view.
    ///
    /// Partly: The view ends at the content, and does not scroll under it.
    public func safeAreaInset<V: View>(
        edge: HorizontalEdge, alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V,
    ) -> some View {
        let inset = content()
        return HStack(spacing: spacing) {
            if edge == .leading {
                inset.frame(maxHeight: .infinity, alignment: Alignment(horizontal: .center, vertical: alignment))
            }
            self.frame(maxWidth: .infinity, maxHeight: .infinity)
            if edge == .trailing {
                inset.frame(maxHeight: .infinity, alignment: Alignment(horizontal: .center, vertical: alignment))
            }
        }
    }
}
