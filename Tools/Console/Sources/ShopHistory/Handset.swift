/// A model of phone, with the systems that it can run.
struct Handset: Sendable {
    let identifier: String
    let name: String
    let memory: Double
    /// The time that work takes, compared with the fastest model.
    let slowness: Double
    let systems: [(String, Double)]

    private static let current = [
        ("26.1", 0.42), ("26.0.1", 0.16), ("18.7.1", 0.24), ("18.6.2", 0.09), ("17.7", 0.09),
    ]
    private static let newest = [("26.1", 0.68), ("26.0.1", 0.32)]

    static let all: [(Handset, Double)] = [
        (Handset("iPhone18,1", "iPhone 17 Pro", memory: 12, slowness: 1, newest), 0.08),
        (Handset("iPhone17,1", "iPhone 16 Pro", memory: 8, slowness: 1.05, Array(current.prefix(4))), 0.14),
        (Handset("iPhone17,3", "iPhone 16", memory: 8, slowness: 1.1, Array(current.prefix(4))), 0.17),
        (Handset("iPhone16,1", "iPhone 15 Pro", memory: 8, slowness: 1.2, current), 0.15),
        (Handset("iPhone15,4", "iPhone 15", memory: 6, slowness: 1.3, current), 0.13),
        (Handset("iPhone14,5", "iPhone 13", memory: 4, slowness: 1.6, current), 0.14),
        (Handset("iPhone14,6", "iPhone SE (3rd generation)", memory: 4, slowness: 1.7, current), 0.09),
        (Handset("iPhone11,8", "iPhone XR", memory: 3, slowness: 2.8, [("18.7.1", 0.6), ("17.7", 0.4)]), 0.1),
    ]

    private init(
        _ identifier: String, _ name: String, memory: Double, slowness: Double, _ systems: [(String, Double)],
    ) {
        self.identifier = identifier
        self.name = name
        self.memory = memory
        self.slowness = slowness
        self.systems = systems
    }
}
