import Foundation

/// A drawing with axes.
struct Plot {
    var drawing: Drawing
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    private let horizontal: ClosedRange<Double>
    private let vertical: ClosedRange<Double>

    init(
        width: Double, height: Double, title: String, x: ClosedRange<Double>, y: ClosedRange<Double>,
        left: Double = 46, top: Double = 10, bottomMargin: Double = 24, rightMargin: Double = 12,
    ) {
        drawing = Drawing(width: width, height: height, title: title)
        self.left = left
        self.top = top
        right = width - rightMargin
        bottom = height - bottomMargin
        horizontal = x
        vertical = y
    }

    func x(_ value: Double) -> Double {
        left + (value - horizontal.lowerBound) / max(horizontal.upperBound - horizontal.lowerBound, 1e-9)
            * (right - left)
    }

    func y(_ value: Double) -> Double {
        bottom - (value - vertical.lowerBound) / max(vertical.upperBound - vertical.lowerBound, 1e-9) * (bottom - top)
    }

    func point(_ x: Double, _ y: Double) -> Drawing.Point { Drawing.Point(x: self.x(x), y: self.y(y)) }

    /// Draws grid lines and labels at round amounts.
    mutating func amounts(_ label: (Double) -> String) {
        let step = Self.step(for: vertical.upperBound, parts: 4)
        var value = 0.0
        while value <= vertical.upperBound * 1.001 {
            drawing.line(
                Drawing.Point(x: left, y: y(value)), Drawing.Point(x: right, y: y(value)), value == 0 ? "axis" : "grid",
            )
            drawing.text(left - 7, y(value) + 3.5, label(value), "tick end")
            value += step
        }
    }

    /// Draws the local time below.
    mutating func hours(_ duration: Double) {
        let hours = duration / 3_600
        let step = [1.0, 2, 3, 6, 12, 24, 48].first { hours / $0 <= 9 } ?? 72
        var hour = 0.0
        while hour <= hours {
            let local = Int((DayModel.startHour + hour).truncatingRemainder(dividingBy: 24))
            let style = hour == 0 ? "tick" : hour == hours ? "tick end" : "tick middle"
            drawing.text(x(hour * 3_600), bottom + 16, (local < 10 ? "0" : "") + "\(local):00", style)
            hour += step
        }
    }

    /// Returns a round step of which about this many fit.
    static func step(for most: Double, parts: Double) -> Double {
        guard most > 0 else { return 1 }
        let raw = most / parts
        let power = pow(10, floor(log10(raw)))
        let factor = [1, 2, 2.5, 5, 10].first { $0 * power >= raw } ?? 10
        return factor * power
    }

    /// Returns the smallest round number that is at least the maximum.
    static func ceiling(_ most: Double) -> Double {
        let step = step(for: most, parts: 4)
        return max(step, (most / step).rounded(.up) * step)
    }
}
