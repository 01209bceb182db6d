import FleetSimulator

/// A phone's place among all phones of a fleet.
///
/// The places of the additive recurrence R3 (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences",
/// 2018) fill a cube evenly. So each market, system and release, and each combination of them, has its share of a small
/// fleet too, whatever the seed.
struct FleetPlace {
    var market: Share
    var system: Share
    let release: Share

    init(number: Int, seed: UInt64) {
        var chance = SeededRandom(seed: seed, stream: .person)
        func share(_ step: Double) -> Share {
            Share((chance.unit() + Double(number) * step).truncatingRemainder(dividingBy: 1))
        }
        market = share(0.819_172_513_396_164_4)
        system = share(0.671_043_606_703_789_3)
        release = share(0.549_700_477_901_970_9)
    }
}

/// A number from 0 to 1 that several choices, one after the other, are made by.
struct Share {
    private(set) var rest: Double

    init(_ share: Double) { rest = share }

    /// Chooses by the weights, and leaves the place within the choice for the next one.
    mutating func pick<Choice>(_ choices: [(Choice, Double)]) -> Choice? {
        let sum = choices.reduce(0) { $0 + $1.1 }
        var begin = 0.0
        for (choice, weight) in choices {
            let part = weight / sum
            if rest < begin + part {
                rest = (rest - begin) / part
                return choice
            }
            begin += part
        }
        return choices.last?.0
    }

    mutating func happens(_ probability: Double) -> Bool {
        pick([(true, probability), (false, 1 - probability)]) ?? false
    }
}
