public import Foundation

/// A stack or a grid without its views.
public enum _StackLayout: Hashable, Sendable {
    case horizontal(VerticalAlignment, spacing: CGFloat?)
    case vertical(HorizontalAlignment, spacing: CGFloat?)
    case layers(Alignment)
    case grid(Alignment, across: CGFloat?, down: CGFloat?)
}

/// An arrangement of views by the system, which is called with the views.
@MainActor
@preconcurrency
public protocol _SystemLayout {
    var _stack: _StackLayout { get }
}

extension _SystemLayout {
    /// Arranges the views. With another layout at the same place, they keep their state.
    public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
        _Arranged(stack: _stack, content: content())
    }
}

/// A layout of any type. A view that changes it keeps the state of what is inside.
///
/// Partly: Another layout is shown at once, without an animation.
public struct AnyLayout: _SystemLayout {
    public let _stack: _StackLayout

    public init<L: _SystemLayout>(_ layout: L) {
        _stack = layout._stack
    }
}

/// The layout of a `HStack`.
public struct HStackLayout: _SystemLayout {
    public var alignment: VerticalAlignment
    public var spacing: CGFloat?

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }

    public var _stack: _StackLayout { .horizontal(alignment, spacing: spacing) }
}

/// The layout of a `VStack`.
public struct VStackLayout: _SystemLayout {
    public var alignment: HorizontalAlignment
    public var spacing: CGFloat?

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
        self.alignment = alignment
        self.spacing = spacing
    }

    public var _stack: _StackLayout { .vertical(alignment, spacing: spacing) }
}

/// The layout of a `ZStack`.
public struct ZStackLayout: _SystemLayout {
    public var alignment: Alignment

    public init(alignment: Alignment = .center) {
        self.alignment = alignment
    }

    public var _stack: _StackLayout { .layers(alignment) }
}

/// The layout of a `Grid`.
public struct GridLayout: _SystemLayout {
    public var alignment: Alignment
    public var horizontalSpacing: CGFloat?
    public var verticalSpacing: CGFloat?

    public init(alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }

    public var _stack: _StackLayout { .grid(alignment, across: horizontalSpacing, down: verticalSpacing) }
}

/// Views in a layout that may change.
private struct _Arranged<Content: View>: PrimitiveView {
    let stack: _StackLayout
    let content: Content

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        switch stack {
        case .horizontal(let alignment, let spacing):
            HStack(alignment: alignment, spacing: spacing) { content }.render(children, in: node)
        case .vertical(let alignment, let spacing):
            VStack(alignment: alignment, spacing: spacing) { content }.render(children, in: node)
        case .layers(let alignment):
            ZStack(alignment: alignment) { content }.render(children, in: node)
        case .grid(let alignment, let across, let down):
            Grid(alignment: alignment, horizontalSpacing: across, verticalSpacing: down) { content }
                .render(children, in: node)
        }
    }

    func rendersLike(_ other: Self) -> Bool { stack == other.stack }
}
