import AstrolabeDeviceConditions

/// What the phone's network is like. Raw values are for the page and for scenarios.
package enum NetworkProfile: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi
    case cellular
    /// One bar, in a lift or between houses.
    case weak
    case airplane

    /// What the operating system tells the app about it.
    var path: NetworkPath {
        switch self {
        case .wifi: .wifi
        case .cellular: NetworkPath(.cellular, radio: .nr, carrierName: "Orrery Mobile")
        case .weak: NetworkPath(.cellular, radio: .edge, isConstrained: true, carrierName: "Orrery Mobile")
        case .airplane: .offline
        }
    }

    /// What the app's packets meet. The figures are of the order that one meets in a town; none stands for a norm.
    var quality: NetworkQuality? {
        switch self {
        case .wifi: NetworkQuality(delay: .milliseconds(2), jitter: .milliseconds(1), bytesPerSecond: 12_500_000)
        case .cellular: NetworkQuality(delay: .milliseconds(30), jitter: .milliseconds(15), bytesPerSecond: 2_500_000)
        case .weak:
            NetworkQuality(
                delay: .milliseconds(250), jitter: .milliseconds(150), bytesPerSecond: 25_000, loss: 0.03, cut: 0.002,
            )
        case .airplane: nil
        }
    }
}

/// What becomes of what is sent, in each direction.
package struct NetworkQuality: Hashable, Sendable {
    /// From one end to the other.
    package var delay: Duration
    /// At most so much more or less; the order is kept.
    package var jitter: Duration
    package var bytesPerSecond: Int
    /// The chance of a packet to be lost, and to come with a retransmission: 300 to 1,200 ms later.
    package var loss: Double
    /// The chance of a packet to be the connection's last.
    package var cut: Double

    package init(
        delay: Duration = .zero, jitter: Duration = .zero, bytesPerSecond: Int = .max, loss: Double = 0,
        cut: Double = 0,
    ) {
        self.delay = delay
        self.jitter = jitter
        self.bytesPerSecond = max(bytesPerSecond, 1)
        self.loss = loss
        self.cut = cut
    }
}
