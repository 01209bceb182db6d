import Foundation

extension Animation {
    /// Creates a spring by the duration of its movement as a person sees it, and by how much it overshoots.
    ///
    /// - Parameter bounce: From 0, without overshooting, to 1. A negative value makes the end slower.
    public static func spring(duration: Double = 0.5, bounce: Double = 0, blendDuration: Double = 0) -> Animation {
        let damping = Spring(duration: duration, bounce: bounce).dampingRatio
        return Animation(.spring(response: duration, dampingFraction: min(max(damping, 0), 4)))
    }

    public static let spring = Animation.spring(duration: 0.5, bounce: 0)

    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25,
    ) -> Animation {
        Animation(.spring(response: response, dampingFraction: dampingFraction))
    }

    public static let interactiveSpring = Animation.interactiveSpring(response: 0.15)

    /// Creates a spring by its physics: the period without damping is 2π √(mass / stiffness).
    public static func interpolatingSpring(
        mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0,
    ) -> Animation {
        guard mass > 0, stiffness > 0 else { return Animation(.spring(response: 0, dampingFraction: 1)) }
        return Animation(
            .spring(
                response: 2 * .pi * (mass / stiffness).squareRoot(),
                dampingFraction: damping / (2 * (stiffness * mass).squareRoot())))
    }

    public static func interpolatingSpring(
        duration: Double = 0.5, bounce: Double = 0, initialVelocity: Double = 0,
    ) -> Animation {
        spring(duration: duration, bounce: bounce)
    }

    public static let interpolatingSpring = Animation.spring(duration: 0.5, bounce: 0)

    public static let smooth = Animation.smooth()
    public static let snappy = Animation.snappy()
    public static let bouncy = Animation.bouncy()

    /// A spring that does not overshoot.
    public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(.smooth(duration: duration, extraBounce: extraBounce))
    }

    /// A spring that overshoots a little.
    public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(.snappy(duration: duration, extraBounce: extraBounce))
    }

    /// A spring that overshoots.
    public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(.bouncy(duration: duration, extraBounce: extraBounce))
    }
}
