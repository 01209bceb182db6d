import AstrolabeDeviceConditions

/// A place, which determines the network, the charger and how often the phone is used.
///
/// A day is a random walk over places. The duration of a stay is log-normal. The next place depends only on the current
/// place and the time of day.
///
///     asleep --> home <--> street <--> train <--> tunnel
///                           |  ^
///                           v  |       work <--> lift --> street
///               store, cafe, flight    work <--> cafe
enum Place: String, Sendable, CaseIterable {
    case asleep, home, street, train, tunnel, work, lift, cafe, store, flight

    /// The median duration of a stay in seconds; that of a night ends in the morning.
    var stay: (median: Double, spread: Double) {
        switch self {
        case .asleep: (1_800, 1)
        case .home: (2_700, 1.8)
        case .street: (360, 1.7)
        case .train: (420, 1.4)
        case .tunnel: (70, 1.8)
        case .work: (4_200, 1.6)
        case .lift: (35, 1.4)
        case .cafe: (1_800, 1.5)
        case .store: (1_080, 1.6)
        case .flight: (8_400, 1.5)
        }
    }

    /// The possible next places and their weights.
    func successors(in part: DayPart, _ person: Person) -> [(Place, Double)] {
        switch (self, part) {
        case (.asleep, .night): [(.asleep, 1)]
        case (.asleep, _): [(.home, 1)]
        case (.home, .morning): person.commutes ? [(.street, 1)] : [(.home, 4), (.street, 1)]
        case (.home, .day): person.commutes ? [(.street, 1), (.home, 1)] : [(.home, 3), (.street, 1)]
        case (.home, .evening): [(.home, 4), (.street, 1)]
        case (.home, .night): [(.asleep, 1)]
        case (.street, .morning): [(.train, 5), (.work, 4), (.store, 1)]
        case (.street, .day):
            [(.store, 3), (.cafe, 2.5), (.work, person.commutes ? 4 : 0), (.home, 1.5), (.flight, person.flying)]
        case (.street, .evening): [(.home, 5), (.train, 3), (.store, 2)]
        case (.street, .night): [(.home, 1)]
        case (.train, .night): [(.tunnel, 1), (.street, 2)]
        case (.train, _): [(.tunnel, 2), (.train, 1), (.street, 1)]
        case (.tunnel, _): [(.train, 1)]
        case (.work, .morning), (.work, .day): [(.work, 5), (.lift, 3), (.cafe, 1)]
        case (.work, _): [(.lift, 3), (.street, 1)]
        case (.lift, .morning), (.lift, .day): [(.work, 4), (.street, 1)]
        case (.lift, _): [(.street, 9), (.work, 1)]
        case (.cafe, .evening), (.cafe, .night): [(.street, 1)]
        case (.cafe, _): [(.street, 1), (.work, person.commutes ? 1 : 0)]
        case (.store, _), (.flight, _): [(.street, 1)]
        }
    }

    /// The number of times that the app is opened per hour here.
    var usesAnHour: Double {
        switch self {
        case .asleep: 0.04
        case .lift: 0
        case .work, .flight: 1.2
        case .home: 1.8
        case .street, .tunnel: 2
        case .store: 2.5
        case .cafe: 3
        case .train: 3.5
        }
    }
}

/// A part of the day, which determines how people move.
enum DayPart: Sendable {
    case morning, day, evening, night

    /// - Parameter hour: From 0 to 24, local time.
    init(hour: Double) {
        switch hour {
        case 6.5..<9.5: self = .morning
        case 9.5..<16.5: self = .day
        case 16.5..<23: self = .evening
        default: self = .night
        }
    }
}

/// The constant properties of a device and its user.
struct Person: Sendable {
    /// True if the user commutes to work.
    let commutes: Bool
    /// The weight of an airport as the next place. Most people do not fly on a given day.
    let flying: Double
    let hasWifiAtHome: Bool
    let hasWifiAtWork: Bool
    /// True if Low Data Mode is on for cellular networks.
    let savesData: Bool
    let chargesAtWork: Bool
    /// True if the user turns on Low Power Mode when the system asks.
    let savesPower: Bool
    /// The frequency of opening the app, relative to the average.
    let eagerness: Double
    let phone: Phone
    let chargeAtStart: Double

    /// A phone model: its identifier, and the memory that its system reports.
    struct Phone: Sendable {
        let identifier: String
        let memoryGB: Double
    }

    private static let phones: [(Phone, Double)] = [
        (Phone(identifier: "iPhone12,8", memoryGB: 2.8), 1), (Phone(identifier: "iPhone13,2", memoryGB: 3.7), 3),
        (Phone(identifier: "iPhone14,5", memoryGB: 3.7), 3), (Phone(identifier: "iPhone15,2", memoryGB: 5.5), 3),
        (Phone(identifier: "iPhone16,1", memoryGB: 7.5), 2), (Phone(identifier: "iPhone17,3", memoryGB: 7.5), 1),
    ]

    init(seed: UInt64, device: Int) {
        var chance = SeededRandom(seed: seed, stream: .person, device: device)
        commutes = chance.happens(0.68)
        flying = chance.happens(0.06) ? 20 : 0
        hasWifiAtHome = chance.happens(0.92)
        hasWifiAtWork = chance.happens(0.7)
        savesData = chance.happens(0.1)
        chargesAtWork = chance.happens(0.35)
        savesPower = chance.happens(0.65)
        eagerness = chance.logNormal(median: 1, spread: 1.6)
        phone = chance.pick(Self.phones) ?? Phone(identifier: "iPhone14,5", memoryGB: 3.7)
        chargeAtStart = chance.within(0.5...1)
    }

    /// The device context for the policy.
    var context: DeviceContext {
        DeviceContext(
            platform: "ios", osName: "iOS", osVersion: "18.7", manufacturer: "Apple",
            deviceModelRaw: phone.identifier, processorCount: 6, physicalMemoryGB: phone.memoryGB,
            locale: "en_US", timezone: "UTC", appVersion: "1.0.0", buildNumber: "1",
        )
    }
}
