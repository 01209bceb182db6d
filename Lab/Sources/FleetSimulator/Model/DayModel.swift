import AstrolabeDeviceConditions

/// Generates a device's timeline: first the places, then what depends on them.
///
///     places --> network
///         \----> uses of the app --> lifecycle, crashes, kills, restarts
///          \         \-------------> battery, heat, memory
///           \----------------------/
///
/// Each part has its own random stream, so a change to one does not affect the others.
struct DayModel {
    /// The local time at which every simulation starts: 6 in the morning.
    static let startHour = 6.0

    let seed: UInt64
    let device: Int
    /// Seconds.
    let duration: Double
    let person: Person
    /// Seconds of use between two crashes on average; infinity for none.
    var secondsPerCrash = 8 * 3_600.0

    init(seed: UInt64, device: Int, duration: Double) {
        self.seed = seed
        self.device = device
        self.duration = duration
        person = Person(seed: seed, device: device)
    }

    /// A period, in seconds since the start.
    struct Stretch<Value: Sendable>: Sendable {
        let start: Double
        let end: Double
        let value: Value

        func overlap(_ from: Double, _ to: Double) -> Double { max(0, min(end, to) - max(start, from)) }
    }

    func timeline() -> DeviceTimeline {
        let places = places()
        let uses = uses(places)
        let steps = network(places) + power(places, uses) + life(uses)
        return DeviceTimeline(steps: steps, duration: duration, isUsed: true)
    }

    static func hour(at time: Double) -> Double {
        (startHour + time / 3_600).truncatingRemainder(dividingBy: 24)
    }

    func chance(_ stream: SeededRandom.Stream) -> SeededRandom {
        SeededRandom(seed: seed, stream: stream, device: device)
    }

    private func places() -> [Stretch<Place>] {
        var chance = chance(.day)
        var places: [Stretch<Place>] = []
        var place = Place.asleep
        // People get up between 6 and 8.
        var time = 0.0
        var end = chance.within(0...7_200)
        while time < duration {
            if let last = places.last, last.value == place {
                places[places.count - 1] = Stretch(start: last.start, end: end, value: place)
            } else {
                places.append(Stretch(start: time, end: end, value: place))
            }
            time = end
            place = chance.pick(place.successors(in: DayPart(hour: Self.hour(at: time)), person)) ?? place
            end = time + chance.logNormal(median: place.stay.median, spread: place.stay.spread)
        }
        return places
    }

    /// The periods in which the app is in the foreground.
    private func uses(_ places: [Stretch<Place>]) -> [Stretch<Place>] {
        var chance = chance(.usage)
        var uses: [Stretch<Place>] = []
        var free = 0.0
        for place in places where place.value.usesAnHour > 0 {
            var time = place.start
            while true {
                time += chance.wait(mean: 3_600 / (place.value.usesAnHour * person.eagerness))
                guard time < min(place.end, duration) else { break }
                let length = min(max(chance.logNormal(median: 150, spread: 2.2), 8), 2_400)
                guard time > free else { continue }
                uses.append(Stretch(start: time, end: min(time + length, duration), value: place.value))
                // A person does not open the app again immediately after closing it.
                free = time + length + 60
            }
        }
        return uses
    }
}
