import Atomics

/// The periods in which the user's consent permits recording. Refusals separate them.
///
/// What belongs to one period, such as an open span or a metric's running sum, is not recorded in another. All that
/// records asks for the current period first, which is one relaxed load.
package final class RecordingPeriods: Sendable {
    /// The number of the current period: even while recording is permitted, odd after a refusal.
    private let current = UnsafeAtomic<UInt64>.create(0)

    package init() {}

    deinit {
        current.destroy()
    }

    /// The number of the current period, or of the refusal that holds now.
    @inline(__always)
    package var number: UInt64 { current.load(ordering: .relaxed) }

    /// The number of the current period; `nil` while consent is denied.
    @inline(__always)
    package var permitted: UInt64? {
        let number = number
        return number & 1 == 0 ? number : nil
    }

    /// True if the consent permits recording.
    package var isPermitted: Bool { permitted != nil }

    /// Returns true if the period with this number follows a refusal.
    static func followsRefusal(_ number: UInt64) -> Bool { number > 1 }

    /// Ends the current period.
    func refuse() {
        let number = number
        guard number & 1 == 0 else { return }
        _ = current.compareExchange(expected: number, desired: number + 1, ordering: .sequentiallyConsistent)
    }

    /// Begins a period, unless one has begun.
    func permit() {
        let number = number
        guard number & 1 == 1 else { return }
        _ = current.compareExchange(expected: number, desired: number + 1, ordering: .sequentiallyConsistent)
    }
}

extension RecordingCore {
    /// Stops recording, and forgets what was remembered for later records: breadcrumbs, the user, the screen, the
    /// session, and the attributes that the app has set on all records.
    package func refuse() {
        periods.refuse()
        forget()
        breadcrumbs.mirror(nil)
        ambient.observe(nil)
        scopes.mirror(nil)
    }

    /// Records again, with nothing of the time before; does nothing if it records.
    package func permit() {
        guard !periods.isPermitted else { return }
        // What another thread was about to set when consent was refused.
        forget()
        periods.permit()
        breadcrumbs.begin(periods.number)
    }

    private func forget() {
        breadcrumbs.begin(periods.number)
        ambient.removeAll()
    }
}
