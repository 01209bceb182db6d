import Foundation

/// The timing of a change.
///
/// Partly: A spring begins without a velocity, and `blendDuration` changes nothing.
public struct Animation: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
        case bezier(Double, Double, Double, Double, duration: Double)
        /// A spring. `response` is the period without damping in seconds; `dampingFraction` is the damping ratio.
        case spring(response: Double, dampingFraction: Double)
    }

    var curve: Curve
    var delay = 0.0
    var speed = 1.0
    /// The number of repetitions; `nil` repeats forever.
    var repeatCount: Int? = 1
    var autoreverses = false

    init(_ curve: Curve) {
        self.curve = curve
    }

    public static let `default` = Animation.easeInOut(duration: 0.35)

    public static let linear = Animation.linear(duration: 0.35)
    public static let easeIn = Animation.easeIn(duration: 0.35)
    public static let easeOut = Animation.easeOut(duration: 0.35)
    public static let easeInOut = Animation.easeInOut(duration: 0.35)

    public static func linear(duration: Double) -> Animation { Animation(.bezier(0, 0, 1, 1, duration: duration)) }
    public static func easeIn(duration: Double) -> Animation { Animation(.bezier(0.42, 0, 1, 1, duration: duration)) }
    public static func easeOut(duration: Double) -> Animation { Animation(.bezier(0, 0, 0.58, 1, duration: duration)) }

    public static func easeInOut(duration: Double) -> Animation {
        Animation(.bezier(0.42, 0, 0.58, 1, duration: duration))
    }

    public static func timingCurve(
        _ c0x: Double, _ c0y: Double, _ c1x: Double, _ c1y: Double, duration: Double = 0.35,
    ) -> Animation {
        Animation(.bezier(min(max(c0x, 0), 1), c0y, min(max(c1x, 0), 1), c1y, duration: duration))
    }

    @_disfavoredOverload
    public static func spring(
        response: Double = 0.55, dampingFraction: Double = 0.825, blendDuration: Double = 0,
    ) -> Animation {
        Animation(.spring(response: response, dampingFraction: dampingFraction))
    }

    public func delay(_ delay: Double) -> Animation { changed { $0.delay += delay } }
    public func speed(_ speed: Double) -> Animation { changed { $0.speed *= speed } }

    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
        changed {
            $0.repeatCount = max(1, repeatCount)
            $0.autoreverses = autoreverses
        }
    }

    public func repeatForever(autoreverses: Bool = true) -> Animation {
        changed {
            $0.repeatCount = nil
            $0.autoreverses = autoreverses
        }
    }

    private func changed(_ change: (inout Animation) -> Void) -> Animation {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Animation {
    /// Returns the progress after a time in seconds, and whether the animation has ended.
    func progress(after elapsed: Double) -> (fraction: Double, isOver: Bool) {
        let time = (elapsed - delay) * speed
        guard time > 0 else { return (0, false) }
        let period = curve.duration
        guard period > 0 else { return (1, true) }
        let cycle = Int(min(time / period, 1e9))
        if let repeatCount, cycle >= repeatCount {
            return (autoreverses && repeatCount.isMultiple(of: 2) ? 0 : 1, true)
        }
        let position = curve.position(at: time - Double(cycle) * period)
        return (autoreverses && !cycle.isMultiple(of: 2) ? 1 - position : position, false)
    }
}

extension Animation.Curve {
    /// The duration in seconds. A spring has ended when less than a thousandth of the distance is left.
    var duration: Double {
        switch self {
        case .bezier(_, _, _, _, let duration): duration
        case .spring(let response, let damping):
            response <= 0 ? 0 : log(1_000) / (2 * .pi / response * Swift.min(Swift.max(damping, 0.05), 1)) * 1.2
        }
    }

    func position(at time: Double) -> Double {
        switch self {
        case .bezier(let x1, let y1, let x2, let y2, let duration):
            return Self.bezier(time / duration, x1, y1, x2, y2)
        case .spring(let response, let damping):
            let omega = 2 * Double.pi / response
            let zeta = Swift.max(damping, 0.05)
            if zeta >= 1 { return 1 - exp(-omega * time) * (1 + omega * time) }
            let damped = omega * (1 - zeta * zeta).squareRoot()
            let decay = exp(-zeta * omega * time)
            return 1 - decay * (cos(damped * time) + zeta * omega / damped * sin(damped * time))
        }
    }

    /// Returns y at x on the Bézier curve from (0, 0) to (1, 1) with these control points, with x found by bisection.
    private static func bezier(_ x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Double {
        func at(_ t: Double, _ a: Double, _ b: Double) -> Double {
            let u = 1 - t
            return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
        }
        if x1 == y1, x2 == y2 { return x }
        var low = 0.0
        var high = 1.0
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if at(middle, x1, x2) < x { low = middle } else { high = middle }
        }
        return at((low + high) / 2, y1, y2)
    }
}
