import AstrolabeDeviceConditions

/// The network of the phone. The page and scenarios use the raw values.
package enum NetworkProfile: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi
    case cellular
    /// A slow and lossy cellular connection: one bar.
    case weak
    case airplane

    /// The network path that the app sees.
    var path: NetworkPath {
        switch self {
        case .wifi: .wifi
        case .cellular: NetworkPath(.cellular, radio: .nr, carrierName: "Orrery Mobile")
        case .weak: NetworkPath(.cellular, radio: .edge, isConstrained: true, carrierName: "Orrery Mobile")
        case .airplane: .offline
        }
    }

    /// The delay, bandwidth and loss of the network; `nil` if there is none. The figures are typical of a city.
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

/// The quality of a network in one direction.
package struct NetworkQuality: Hashable, Sendable {
    /// The one-way delay.
    package var delay: Duration
    /// The largest deviation from the delay. Packets stay in order.
    package var jitter: Duration
    package var bytesPerSecond: Int
    /// The probability from 0 to 1 that a packet is lost and retransmitted 300 to 1,200 ms later.
    package var loss: Double
    /// The probability from 0 to 1 that the connection breaks after a packet.
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
