import FleetSimulator

/// The connection of a phone, in the words of the `network.*` attributes.
struct PhoneNetwork {
    var type: String
    /// The radio technology of a cellular connection.
    var subtype: String?
    /// The median time that a request spends on the way, in milliseconds.
    var delay: Double
    /// The share of requests that fail on the way.
    var lossRate: Double

    init(carrier: String, chance: inout SeededRandom) {
        let (name, delay, loss): (String?, Double, Double) =
            chance.pick([
                ((nil, 45, 0.001), 0.6), (("nr", 60, 0.002), 0.2), (("lte", 110, 0.006), 0.17),
                (("edge", 900, 0.05), 0.03),
            ]) ?? (nil, 45, 0.001)
        type = name == nil ? "wifi" : "cell"
        subtype = name
        self.delay = delay
        lossRate = loss
    }
}
