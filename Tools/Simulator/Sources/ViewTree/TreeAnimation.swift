/// The timing with which the views of a change come and go.
///
///     {"delay": 0, "duration": 0.35, "curve": [0, 0.02, …, 1]}
package struct TreeAnimation: Codable, Hashable, Sendable {
    /// In seconds.
    package let delay: Double
    /// In seconds.
    package let duration: Double
    /// The progress at equally spaced times, from 0 at the start to 1 at the end.
    package let curve: [Double]

    package init(delay: Double, duration: Double, curve: [Double]) {
        self.delay = delay
        self.duration = duration
        self.curve = curve
    }
}
