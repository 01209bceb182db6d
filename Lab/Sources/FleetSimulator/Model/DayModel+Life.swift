import AstrolabeDeviceConditions

extension DayModel {
    /// The lifecycle of the app's process: opened, moved to the background, suspended, woken, killed, and restarted.
    func life(_ uses: [Stretch<Place>]) -> [DeviceTimeline.Step] {
        var life = Life(chance: chance(.life), secondsPerCrash: secondsPerCrash)
        for (index, use) in uses.enumerated() {
            life.use(use.start, use.end)
            let next = index + 1 < uses.count ? uses[index + 1].start : duration
            life.rest(until: next)
        }
        return life.steps
    }

    private struct Life {
        var chance: SeededRandom
        let secondsPerCrash: Double
        var steps: [DeviceTimeline.Step] = []
        private var isRunning = false
        private var time = 0.0

        init(chance: SeededRandom, secondsPerCrash: Double) {
            self.chance = chance
            self.secondsPerCrash = secondsPerCrash
        }

        private mutating func add(_ time: Double, _ event: DeviceTimeline.Event) {
            steps.append(DeviceTimeline.Step(at: time, event))
        }

        private mutating func open(at time: Double) {
            if !isRunning { add(time, .launch) }
            isRunning = true
            add(time + 0.4, .lifecycle(.active))
        }

        /// Simulates the app in the foreground from `start` to `end`.
        mutating func use(_ start: Double, _ end: Double) {
            open(at: start)
            self.time = end
            memory(start, end)
            let crash = start + chance.wait(mean: secondsPerCrash)
            if crash < end {
                add(crash, .end(.crash))
                isRunning = false
                let again = crash + chance.within(4...40)
                guard chance.happens(0.6), again + 10 < end else {
                    time = crash
                    return
                }
                open(at: again)
            }
            if chance.happens(0.04) {
                add(end, .lifecycle(.terminated))
                add(end + 0.1, .end(.quit))
                isRunning = false
                return
            }
            let isDoomed = chance.happens(0.02)
            if isDoomed { add(end, .scheduleKill) }
            add(end, .lifecycle(.background))
            time = end + chance.within(5...25)
            if isDoomed {
                add(time, .end(.kill))
                isRunning = false
            } else {
                add(time, .lifecycle(.suspended))
            }
        }

        /// Adds the system's memory warnings. Some of the critical ones kill the process, which restarts when it is
        /// next used.
        private mutating func memory(_ start: Double, _ end: Double) {
            var time = start
            while true {
                time += chance.wait(mean: Self.usePerWarning)
                let last = time + chance.within(10...40)
                guard last < end else { return }
                let isCritical = chance.happens(0.25)
                add(time, .memory(isCritical ? .critical : .warning))
                add(last, .memory(.normal))
                time = last
            }
        }

        /// Simulates the app in the background: the system wakes it now and then, and kills it if it needs memory.
        mutating func rest(until next: Double) {
            var death = time + chance.wait(mean: Self.restPerKill)
            while isRunning {
                time += chance.wait(mean: Self.restPerWake)
                let asleep = time + chance.within(12...28)
                if death < min(time, next - 30) {
                    add(death, .end(.kill))
                    isRunning = false
                    return
                }
                guard asleep < next - 30 else { return }
                add(time, .lifecycle(.background))
                if chance.happens(0.01) {
                    add(time, .scheduleKill)
                    death = asleep
                } else {
                    add(asleep, .lifecycle(.suspended))
                }
                time = asleep
            }
        }

        /// The average duration of use or rest, in seconds.
        private static let usePerWarning = 2.5 * 3_600
        private static let restPerKill = 7 * 3_600.0
        private static let restPerWake = 2 * 3_600.0
    }
}
