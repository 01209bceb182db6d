public import Foundation

extension Path {
    /// Returns the part between two fractions of the length.
    public func trimmedPath(from: CGFloat, to: CGFloat) -> Path {
        let (from, to) = (min(max(from, 0), 1), min(max(to, 0), 1))
        if from <= 0, to >= 1 { return self }
        var result = Path()
        guard from < to else { return result }
        let segments = segments
        let total = segments.reduce(0) { $0 + $1.length }
        let (begin, end) = (from * total, to * total)
        var passed: CGFloat = 0
        for segment in segments {
            let (low, high) = (max(begin - passed, 0), min(end - passed, segment.length))
            passed += segment.length
            guard low < high else { continue }
            segment.part(from: low, to: high).append(to: &result)
        }
        return result
    }

    /// The parts with a length, as cubic curves.
    private var segments: [Segment] {
        var segments: [Segment] = []
        var (start, current) = (CGPoint.zero, CGPoint.zero)
        for element in elements {
            switch element {
            case .move(let end): (start, current) = (end, end)
            case .line(let end): segments.append(Segment(current, end))
            case .quadCurve(let end, let control):
                segments.append(
                    Segment(
                        current, current.mixed(with: control, 2.0 / 3), end.mixed(with: control, 2.0 / 3), end,
                        isLine: false))
            case .curve(let end, let first, let second):
                segments.append(Segment(current, first, second, end, isLine: false))
            case .closeSubpath: if current != start { segments.append(Segment(current, start)) }
            }
            current = element.end ?? start
        }
        return segments
    }
}

extension Path.Element {
    fileprivate var end: CGPoint? {
        switch self {
        case .move(let end), .line(let end), .quadCurve(let end, _), .curve(let end, _, _): end
        case .closeSubpath: nil
        }
    }
}

/// A cubic curve, or a line, with its length.
private struct Segment {
    let points: [CGPoint]
    let isLine: Bool
    /// The length up to each of equally spaced parameters.
    let lengths: [CGFloat]
    private static let steps = 32

    init(_ from: CGPoint, _ first: CGPoint, _ second: CGPoint, _ to: CGPoint, isLine: Bool) {
        points = [from, first, second, to]
        self.isLine = isLine
        var lengths: [CGFloat] = [0]
        var before = from
        for step in 1...(isLine ? 1 : Self.steps) {
            let t = CGFloat(step) / CGFloat(isLine ? 1 : Self.steps)
            let u = 1 - t
            let weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
            let point = zip(weights, points).reduce(into: CGPoint.zero) { sum, part in
                sum.x += part.0 * part.1.x
                sum.y += part.0 * part.1.y
            }
            lengths.append(lengths[step - 1] + before.distance(to: point))
            before = point
        }
        self.lengths = lengths
    }

    init(_ from: CGPoint, _ to: CGPoint) {
        self.init(from, from.mixed(with: to, 1.0 / 3), from.mixed(with: to, 2.0 / 3), to, isLine: true)
    }

    var length: CGFloat { lengths.last ?? 0 }

    /// Returns the parameter at a length.
    private func parameter(at length: CGFloat) -> CGFloat {
        guard let next = lengths.firstIndex(where: { $0 >= length }), next > 0 else { return 0 }
        let span = lengths[next] - lengths[next - 1]
        let rest = span > 0 ? (length - lengths[next - 1]) / span : 0
        return (CGFloat(next - 1) + rest) / CGFloat(lengths.count - 1)
    }

    func part(from low: CGFloat, to high: CGFloat) -> Segment {
        if low <= 0, high >= length { return self }
        let (begin, end) = (parameter(at: low), parameter(at: high))
        let right = split(points, at: begin).right
        let points = split(right, at: begin < 1 ? (end - begin) / (1 - begin) : 1).left
        return Segment(points[0], points[1], points[2], points[3], isLine: isLine)
    }

    private func split(_ points: [CGPoint], at t: CGFloat) -> (left: [CGPoint], right: [CGPoint]) {
        var (left, right) = ([CGPoint](), [CGPoint]())
        var rest = points
        while let first = rest.first, let last = rest.last {
            left.append(first)
            right.insert(last, at: 0)
            rest = zip(rest, rest.dropFirst()).map { $0.mixed(with: $1, t) }
        }
        return (left, right)
    }

    func append(to path: inout Path) {
        if path.currentPoint.map({ $0.distance(to: points[0]) > 1e-6 }) ?? true { path.move(to: points[0]) }
        if isLine {
            path.addLine(to: points[3])
        } else {
            path.addCurve(to: points[3], control1: points[1], control2: points[2])
        }
    }
}

extension CGPoint {
    fileprivate func mixed(with other: CGPoint, _ share: CGFloat) -> CGPoint {
        CGPoint(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
