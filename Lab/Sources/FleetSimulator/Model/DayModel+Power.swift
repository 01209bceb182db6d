import AstrolabeDeviceConditions

extension DayModel {
    /// Battery and temperature, in steps of five minutes. The app is informed of changes of 5 %.
    func power(_ places: [Stretch<Place>], _ uses: [Stretch<Place>]) -> [DeviceTimeline.Step] {
        var chance = chance(.power)
        var steps: [DeviceTimeline.Step] = []
        var battery = Battery(level: person.chargeAtStart)
        var heat = 0.2
        var told: Power?
        var toldHeat = ThermalState.nominal
        var (place, use) = (0, 0)
        var time = 0.0
        while time < duration {
            let end = time + Self.tick
            while place + 1 < places.count, places[place].end <= time { place += 1 }
            while use < uses.count, uses[use].end <= time { use += 1 }
            let used = uses[use...].prefix { $0.start < end }.reduce(0) { $0 + $1.overlap(time, end) } / Self.tick
            let location = places[place].value
            battery.plug(at: location, person, &chance)
            battery.pass(hours: Self.tick / 3_600, used: used, person, &chance)
            let power = battery.power
            if told != power { steps.append(DeviceTimeline.Step(at: time, .power(power))) }
            told = power

            heat += (warmth(at: location, time, used, battery.isPlugged) - heat) * 0.4 + chance.within(-0.05...0.05)
            let state = Self.thermal(heat, before: toldHeat)
            if state != toldHeat { steps.append(DeviceTimeline.Step(at: time, .heat(state))) }
            toldHeat = state
            time = end
        }
        return steps
    }

    private static let tick = 300.0

    /// The temperature to which the phone tends; 1 is the maximum.
    private func warmth(at place: Place, _ time: Double, _ used: Double, _ isPlugged: Bool) -> Double {
        let isSunny = (11.0...16).contains(Self.hour(at: time))
        return 0.2 + 0.35 * used + (isPlugged ? 0.22 : 0) + (place == .street && isSunny ? 0.45 : 0)
            + (place == .train ? 0.1 : 0)
    }

    /// A thermal state ends at a lower temperature than it starts, so that it does not flicker.
    private static func thermal(_ heat: Double, before: ThermalState) -> ThermalState {
        let thresholds: [(ThermalState, Double)] = [(.critical, 0.88), (.serious, 0.7), (.fair, 0.52)]
        return thresholds.first { state, threshold in heat >= (before >= state ? threshold - 0.06 : threshold) }?.0
            ?? .nominal
    }

    private struct Battery {
        var level: Double
        var isPlugged = false
        var savesPower = false

        /// Rounds to steps of 5 %, as the system reports them.
        var power: Power {
            Power(
                level: (level * 20).rounded() / 20, source: isPlugged ? (level > 0.99 ? .full : .charging) : .unplugged,
                isLowPowerMode: savesPower,
            )
        }

        mutating func plug(at place: Place, _ person: Person, _ chance: inout SeededRandom) {
            let probability =
                switch place {
                case .asleep: 0.9
                case .home: level < 0.35 ? 0.3 : isPlugged && level < 0.95 ? 1 : 0
                case .work: person.chargesAtWork && (level < 0.6 || isPlugged && level < 0.95) ? 0.6 : 0
                case .street, .train, .tunnel, .lift, .cafe, .store, .flight: 0.0
                }
            isPlugged = chance.happens(isPlugged && probability > 0 ? 1 : probability)
        }

        mutating func pass(hours: Double, used: Double, _ person: Person, _ chance: inout SeededRandom) {
            let drain = (savesPower ? 0.6 : 1) * (0.035 + 0.16 * used)
            level = min(max(level + hours * (isPlugged ? 0.45 : -drain), 0.02), 1)
            if isPlugged, level > 0.8 {
                savesPower = false
            } else if !isPlugged, level < 0.2, !savesPower {
                savesPower = person.savesPower && chance.happens(0.5)
            }
        }
    }
}
