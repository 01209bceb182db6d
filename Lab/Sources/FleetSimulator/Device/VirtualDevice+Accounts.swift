import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePolicy

extension VirtualDevice {
    private var currentActivity: FleetResults.Activity {
        if run == nil { return .notRunning }
        return conditions.lifecycle == .suspended ? .suspended : FleetResults.Activity(decision.mode)
    }

    /// Adds the time since the last call to the device's current activity.
    func account(to time: Double) {
        let activity = currentActivity
        let end = min(time, timeline.duration)
        guard end > accounted else { return }
        let start = accounted
        accounted = end
        log.note { results in
            var from = start
            while from < end {
                let bin = results.bin(at: from)
                let to = min(end, max(Double(bin + 1) * results.binWidth, from + 0.001))
                results.bins[bin].activity[activity.rawValue] += Int(to * 1_000) - Int(from * 1_000)
                from = to
            }
        }
    }

    /// Records the device's new activity in its story.
    func tellActivity() {
        let (activity, time) = (currentActivity, clock.now)
        log.tell { story in
            guard story.activity.last?.value != activity else { return }
            story.activity.append(DeviceStory.Change(time: time, value: activity))
        }
    }

    /// Reads the ledger at the end of a bin if it has changed, and records how much is waiting.
    func look() async {
        await audit()
        let bin = Int((nextBin / binWidth).rounded()) - 1
        log.wait(in: bin)
    }

    private func audit() async {
        // Before its first flush, a run does not know what earlier runs have left.
        guard isDirty, hasFlushed, let run else { return }
        isDirty = false
        log.audit(await run.delivery.currentReport.ledger, at: clock.now)
    }

    /// Reads the final ledger, from the running app or from another start that sends nothing.
    func lastLook() async throws {
        network.scheduleKill(false)
        network.turnOff()
        if run == nil || !hasFlushed {
            let run = try self.run ?? open()
            self.run = run
            await run.delivery.flush()
            hasFlushed = true
        }
        isDirty = true
        await audit()
        log.wait(in: Int.max)
        run = nil
    }
}
