import AstrolabeDeviceConditions

extension DayModel {
    /// The network paths of the day: those of the places, and disturbances at a place.
    func network(_ places: [Stretch<Place>]) -> [DeviceTimeline.Step] {
        var chance = chance(.paths)
        var steps: [DeviceTimeline.Step] = []
        var wasWifi = false
        for place in places where place.start < duration {
            let (path, link) = path(in: place.value, &chance)
            var start = place.start
            if wasWifi, path.medium != .wifi, chance.happens(0.3) {
                // The phone keeps the network of the place it leaves for a while.
                steps.append(DeviceTimeline.Step(at: start, .network(.wifi, .dead)))
                start = min(start + chance.within(8...35), place.end)
            }
            if place.value == .cafe, path.medium == .wifi, chance.happens(0.25) {
                // A captive portal blocks everything until its terms are accepted.
                steps.append(DeviceTimeline.Step(at: start, .network(path, .dead)))
                start = min(start + chance.within(60...240), place.end)
            }
            steps.append(DeviceTimeline.Step(at: start, .network(path, link)))
            steps += wobbles(in: place, from: start, path, link, &chance)
            wasWifi = path.medium == .wifi
        }
        return steps
    }

    private func path(in place: Place, _ chance: inout SeededRandom) -> (NetworkPath, LinkQuality) {
        let cell = NetworkPath(.cellular, radio: chance.happens(0.6) ? .nr : .lte, isConstrained: person.savesData)
        switch place {
        case .asleep, .home: return person.hasWifiAtHome ? (.wifi, .good) : (cell, .fair)
        case .work: return person.hasWifiAtWork ? (.wifi, .good) : (cell, .fair)
        case .street: return (cell, chance.happens(0.8) ? .good : .fair)
        case .train: return (NetworkPath(.cellular, radio: .lte, isConstrained: person.savesData), .fair)
        case .cafe:
            return chance.happens(0.7)
                ? (NetworkPath(.wifi, isExpensive: chance.happens(0.3)), .fair) : (cell, .good)
        case .store: return (NetworkPath(.cellular, radio: .edge, isConstrained: person.savesData), .poor)
        case .tunnel, .lift, .flight: return (.offline, .dead)
        }
    }

    /// Adds short disturbances, after which the path is as before.
    private func wobbles(
        in place: Stretch<Place>, from start: Double, _ path: NetworkPath, _ link: LinkQuality,
        _ chance: inout SeededRandom,
    ) -> [DeviceTimeline.Step] {
        let (rate, troubles): (Double, [((NetworkPath, LinkQuality), Double)])
        switch place.value {
        case .asleep, .home, .work: (rate, troubles) = (0.25, [((path, .dead), 2), ((.offline, .dead), 1)])
        case .street, .store: (rate, troubles) = (3, [((path, .poor), 4), ((.offline, .dead), 1)])
        case .train: (rate, troubles) = (12, [((path, .poor), 3), ((path, .dead), 1), ((.offline, .dead), 2)])
        case .cafe: (rate, troubles) = (2, [((path, .poor), 1)])
        case .tunnel, .lift, .flight: return []
        }
        var steps: [DeviceTimeline.Step] = []
        var time = start
        while true {
            time += chance.wait(mean: 3_600 / rate)
            let end = time + chance.within(10...90)
            guard end < min(place.end, duration), let (worse, quality) = chance.pick(troubles) else { return steps }
            steps.append(DeviceTimeline.Step(at: time, .network(worse, quality)))
            steps.append(DeviceTimeline.Step(at: end, .network(path, link)))
            time = end
        }
    }
}
