/// Computes when packets of one direction arrive, from the delay, the bandwidth and the order of packets.
struct PacketSchedule {
    /// The size of a packet that fits into an Ethernet frame.
    static let packetSize = 1_460

    enum Fate: Equatable {
        /// The arrival time, on the same clock as the given time.
        case arrives(Duration)
        /// The connection breaks after this packet.
        case cut
    }

    private var carrierFree = Duration.zero
    private var lastArrival = Duration.zero

    /// - Parameter time: When the packet is sent, since any fixed time.
    mutating func send(
        _ bytes: Int, at time: Duration, over quality: NetworkQuality, using chance: inout some RandomNumberGenerator,
    ) -> Fate {
        if quality.cut > 0, Double.random(in: 0..<1, using: &chance) < quality.cut { return .cut }
        carrierFree = max(carrierFree, time) + .seconds(Double(bytes) / Double(quality.bytesPerSecond))
        var arrival = carrierFree + quality.delay
        if quality.jitter > .zero { arrival += quality.jitter * Double.random(in: -1...1, using: &chance) }
        if quality.loss > 0, Double.random(in: 0..<1, using: &chance) < quality.loss {
            arrival += .milliseconds(Int.random(in: 300...1_200, using: &chance))
        }
        lastArrival = max(arrival, lastArrival, time)
        return .arrives(lastArrival)
    }
}
