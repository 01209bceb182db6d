public import Foundation

extension Path {
    /// Adds an arc, after a line from the current point to its start.
    ///
    /// The y axis points down, so angles grow clockwise on the screen. As in Apple's SwiftUI, `clockwise` refers to an
    /// axis that points up: with `false` the arc is drawn clockwise on the screen.
    public mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool,
    ) {
        let full = 2 * Double.pi
        var delta = endAngle.radians - startAngle.radians
        if clockwise {
            if delta > 0 { delta -= full * (delta / full).rounded(.up) }
            delta = max(delta, -full)
        } else {
            if delta < 0 { delta += full * (-delta / full).rounded(.up) }
            delta = min(delta, full)
        }
        addRelativeArc(center: center, radius: radius, startAngle: startAngle, delta: Angle(radians: delta))
    }

    /// Adds an arc over an angle, after a line from the current point to its start.
    public mutating func addRelativeArc(center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle) {
        func point(_ angle: Double, _ along: Double = 0) -> CGPoint {
            let (x, y) = (cos(angle), sin(angle))
            return CGPoint(x: center.x + radius * (x - along * y), y: center.y + radius * (y + along * x))
        }
        let begin = point(startAngle.radians)
        if currentPoint == nil { move(to: begin) } else if currentPoint != begin { addLine(to: begin) }
        // A cubic curve is close enough to an arc of a quarter of a circle.
        let parts = max(1, Int((abs(delta.radians) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = delta.radians / Double(parts)
        let handle = 4.0 / 3 * tan(step / 4)
        for part in 0..<parts {
            let from = startAngle.radians + Double(part) * step
            addCurve(
                to: point(from + step), control1: point(from, handle), control2: point(from + step, -handle))
        }
    }

    /// Adds an arc that touches two lines: from the current point to the first, and from there to the second.
    public mutating func addArc(tangent1End corner: CGPoint, tangent2End end: CGPoint, radius: CGFloat) {
        guard let from = currentPoint else { return }
        let (one, two) = (from.distance(to: corner), end.distance(to: corner))
        guard one > 0, two > 0, radius > 0 else { return addLine(to: corner) }
        let first = CGPoint(x: (from.x - corner.x) / one, y: (from.y - corner.y) / one)
        let second = CGPoint(x: (end.x - corner.x) / two, y: (end.y - corner.y) / two)
        let cross = first.x * second.y - first.y * second.x
        let half = acos(min(max(first.x * second.x + first.y * second.y, -1), 1)) / 2
        guard abs(cross) > 1e-9 else { return addLine(to: corner) }
        let along = radius / tan(half)
        let begin = CGPoint(x: corner.x + first.x * along, y: corner.y + first.y * along)
        let side: CGFloat = cross > 0 ? 1 : -1
        let center = CGPoint(x: begin.x - first.y * radius * side, y: begin.y + first.x * radius * side)
        let start = atan2(begin.y - center.y, begin.x - center.x)
        addRelativeArc(
            center: center, radius: radius, startAngle: Angle(radians: start),
            delta: Angle(radians: -Double(side) * (.pi - 2 * half)))
    }
}

extension CGPoint {
    func distance(to other: CGPoint) -> CGFloat { hypot(other.x - x, other.y - y) }
}
