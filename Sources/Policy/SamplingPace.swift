/// When the SDK's own use of the device is sampled next, as a value.
///
///     var pace = SamplingPace()
///     pace.follow(sample)    // after each sample
///     pace.interval          // until the next one
///
/// Every five seconds while the SDK works. While it is idle, each interval is twice the one before, up to a minute, so
/// that an app that does nothing is hardly woken.
package struct SamplingPace: Equatable, Sendable {
    /// The time until the next sample.
    package private(set) var interval = shortest
    private var last: ResourceSample?

    package static let shortest: Duration = .seconds(5)
    package static let longest: Duration = .seconds(60)
    /// The share of one core below which the SDK is idle. A tenth of the smallest budget.
    private static let idleShare = 0.001

    package init() {}

    package var isIdle: Bool { interval > Self.shortest }

    /// Takes the use since the sample before into account.
    package mutating func follow(_ sample: ResourceSample) {
        defer { last = sample }
        guard let last else { return }
        let period = sample.time - last.time
        guard period > .zero else { return }
        let share = (sample.cpuTime - last.cpuTime) / period
        interval = share < Self.idleShare ? min(interval * 2, Self.longest) : Self.shortest
    }

    /// Samples soon again, because work has begun.
    package mutating func quicken() { interval = Self.shortest }
}
