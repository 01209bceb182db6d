public import Foundation

/// An outline of lines and curves.
public struct Path: Equatable, Sendable {
    /// A step of the outline.
    public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }

    private(set) var elements: [Element] = []
    private var start: CGPoint?
    /// The point at which the last step ended.
    public private(set) var currentPoint: CGPoint?

    public init() {}

    public init(_ callback: (inout Path) -> Void) {
        callback(&self)
    }

    public init(_ rect: CGRect) {
        addRect(rect)
    }

    public init(ellipseIn rect: CGRect) {
        addEllipse(in: rect)
    }

    public init(
        roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .circular,
    ) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }

    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .circular) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }

    public var isEmpty: Bool { elements.isEmpty }

    public func forEach(_ body: (Element) -> Void) { elements.forEach(body) }
}

extension Path {
    public mutating func move(to end: CGPoint) {
        elements.append(.move(to: end))
        start = end
        currentPoint = end
    }

    /// Adds a line. Without a current point, it does nothing.
    public mutating func addLine(to end: CGPoint) { add(.line(to: end), to: end) }

    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        add(.quadCurve(to: end, control: control), to: end)
    }

    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        add(.curve(to: end, control1: control1, control2: control2), to: end)
    }

    private mutating func add(_ element: Element, to end: CGPoint) {
        guard let currentPoint else { return }
        // After a closed part, the next begins where it began.
        if elements.last == .closeSubpath { move(to: currentPoint) }
        elements.append(element)
        self.currentPoint = end
    }

    public mutating func closeSubpath() {
        guard start != nil, elements.last != .closeSubpath else { return }
        elements.append(.closeSubpath)
        currentPoint = start
    }

    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }

    public mutating func addPath(_ path: Path, transform: CGAffineTransform = .identity) {
        let path = path.applying(transform)
        elements += path.elements
        start = path.start ?? start
        currentPoint = path.currentPoint ?? currentPoint
    }

    public mutating func addRect(_ rect: CGRect) {
        let rect = rect.standardized
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }

    public mutating func addRects(_ rects: [CGRect]) {
        for rect in rects { addRect(rect) }
    }

    /// Adds an ellipse, clockwise from its rightmost point.
    public mutating func addEllipse(in rect: CGRect) {
        let rect = rect.standardized
        var circle = Path()
        circle.addArc(center: .zero, radius: 1, startAngle: .zero, endAngle: .degrees(360), clockwise: false)
        circle.closeSubpath()
        let stretch = CGAffineTransform(
            a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY)
        addPath(circle, transform: stretch)
    }

    /// Adds a rectangle with round corners. Continuous corners are drawn as circular ones.
    public mutating func addRoundedRect(
        in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .circular,
    ) {
        let rect = rect.standardized
        let (x, y) = (
            min(max(cornerSize.width, 0), rect.width / 2), min(max(cornerSize.height, 0), rect.height / 2),
        )
        guard x > 0, y > 0 else { return addRect(rect) }
        // The distance from a corner of the control points of a quarter of an ellipse.
        let (inX, inY) = (x * (1 - Self.quarter), y * (1 - Self.quarter))
        move(to: CGPoint(x: rect.minX + x, y: rect.minY))
        addLine(to: CGPoint(x: rect.maxX - x, y: rect.minY))
        addCurve(
            to: CGPoint(x: rect.maxX, y: rect.minY + y), control1: CGPoint(x: rect.maxX - inX, y: rect.minY),
            control2: CGPoint(x: rect.maxX, y: rect.minY + inY))
        addLine(to: CGPoint(x: rect.maxX, y: rect.maxY - y))
        addCurve(
            to: CGPoint(x: rect.maxX - x, y: rect.maxY), control1: CGPoint(x: rect.maxX, y: rect.maxY - inY),
            control2: CGPoint(x: rect.maxX - inX, y: rect.maxY))
        addLine(to: CGPoint(x: rect.minX + x, y: rect.maxY))
        addCurve(
            to: CGPoint(x: rect.minX, y: rect.maxY - y), control1: CGPoint(x: rect.minX + inX, y: rect.maxY),
            control2: CGPoint(x: rect.minX, y: rect.maxY - inY))
        addLine(to: CGPoint(x: rect.minX, y: rect.minY + y))
        addCurve(
            to: CGPoint(x: rect.minX + x, y: rect.minY), control1: CGPoint(x: rect.minX, y: rect.minY + inY),
            control2: CGPoint(x: rect.minX + inX, y: rect.minY))
        closeSubpath()
    }

    /// The length of the handles of a cubic curve that is a quarter of a circle, relative to the radius.
    private static let quarter = 4.0 / 3 * (2.0.squareRoot() - 1)
}

extension Path {
    public func applying(_ transform: CGAffineTransform) -> Path {
        if transform.isIdentity { return self }
        var path = self
        path.elements = elements.map { element in
            switch element {
            case .move(let end): .move(to: end.applying(transform))
            case .line(let end): .line(to: end.applying(transform))
            case .quadCurve(let end, let control):
                .quadCurve(to: end.applying(transform), control: control.applying(transform))
            case .curve(let end, let first, let second):
                .curve(
                    to: end.applying(transform), control1: first.applying(transform),
                    control2: second.applying(transform))
            case .closeSubpath: .closeSubpath
            }
        }
        path.start = start?.applying(transform)
        path.currentPoint = currentPoint?.applying(transform)
        return path
    }

    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        applying(CGAffineTransform(translationX: dx, y: dy))
    }
}

/// The form of round corners.
///
/// Partly: Continuous corners are drawn as circular ones.
public enum RoundedCornerStyle: Hashable, Sendable {
    case circular
    case continuous
}
