public import Foundation

/// The style in which the outline of a shape is drawn.
public struct StrokeStyle: Equatable, Sendable {
    public var lineWidth: CGFloat
    public var lineCap: CGLineCap
    public var lineJoin: CGLineJoin
    public var miterLimit: CGFloat
    /// The lengths of the drawn and the omitted parts in turn.
    public var dash: [CGFloat]
    public var dashPhase: CGFloat

    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0,
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

extension StrokeStyle: Animatable {
    public var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(lineWidth, dashPhase) }
        set { (lineWidth, dashPhase) = (newValue.first, newValue.second) }
    }
}

/// The form of the ends of a line.
public enum CGLineCap: Int32, Sendable {
    case butt
    case round
    case square
}

/// The form of the corners of a line.
public enum CGLineJoin: Int32, Sendable {
    case miter
    case round
    case bevel
}

/// The style in which the inside of a shape is filled.
public struct FillStyle: Equatable, Sendable {
    /// True if overlapping parts are left out in turn.
    public var isEOFilled: Bool

    public init(eoFill: Bool = false) {
        isEOFilled = eoFill
    }
}
