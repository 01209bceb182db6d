import Foundation

/// A simulation of a comet's dust tail, in which light pushes each grain away and the sun pulls it.
///
/// The simulation is slow on purpose. The tail of the default size takes 2.4 million steps, about 30 ms on a fast core
/// in a release build.
struct CometTail: Hashable, Sendable {
    struct Grain: Hashable, Sendable {
        /// The distance from the comet's head, in points.
        let x: Double
        let y: Double
        /// 1 for a grain that has just left the head, 0 at the end of the tail.
        let brightness: Double
    }

    static let defaultSteps = 2_000

    /// - Parameters:
    ///   - progress: The comet's progress on its path, from 0 to 1.
    ///   - grains: The number of simulated grains. Every fiftieth is shown.
    ///   - steps: The number of simulation steps for each grain.
    static func grains(at progress: Double, count: Int = 1_200, steps: Int = defaultSteps) -> [Grain] {
        (0..<count).compactMap { index in
            let age = Double(index + 1) / Double(count)
            var (x, y) = (0.0, 0.0)
            var (dx, dy) = (-0.4 - 0.3 * sin(Double(index) * 12.9898), 0.25 * cos(Double(index) * 78.233))
            let sun = (x: 240 - 300 * progress, y: -160.0)
            let time = age * 60 / Double(steps)
            for _ in 0..<steps {
                let (toX, toY) = (sun.x - x, sun.y - y)
                let square = toX * toX + toY * toY + 400
                let force = -90 / (square * square.squareRoot()) * 60
                dx += force * toX * time
                dy += force * toY * time
                x += dx * time
                y += dy * time
            }
            guard index.isMultiple(of: 50) else { return nil }
            return Grain(x: x, y: y, brightness: 1 - age)
        }
    }
}
