public import AstrolabeDeviceConditions

/// A change of the conditions after which what is pending is flushed at once, and not when the interval ends.
public enum FlushTrigger: String, Codable, Hashable, Sendable, CaseIterable {
    /// There is a path again.
    case networkReturned
    /// What was held back (for Wi-Fi, for the budget) may leave.
    case uploadsAllowed
    case becameActive
    /// The process may be suspended soon: flush within the system's background time.
    case enteredBackground
    /// The process may be ended, and buffers need memory.
    case memoryCritical
    /// The last chance: flush within a short bound.
    case terminating
}

extension CollectionPolicy {
    /// What a change of conditions asks to be flushed for; often nothing.
    ///
    /// A flush sends what the decision for the new conditions lets through and makes the rest durable.
    public func flushTriggers(
        from previous: Conditions, to current: Conditions, on device: DeviceContext,
    ) -> [FlushTrigger] {
        var triggers: [FlushTrigger] = []
        if previous.lifecycle != current.lifecycle {
            switch current.lifecycle {
            case .active: triggers.append(.becameActive)
            case .background where previous.lifecycle != .suspended: triggers.append(.enteredBackground)
            case .terminated: triggers.append(.terminating)
            case .launching, .inactive, .background, .suspended: break
            }
        }
        if current.memory == .critical, previous.memory != .critical { triggers.append(.memoryCritical) }
        let before = decision(for: previous, on: device).upload
        let after = decision(for: current, on: device).upload
        if current.network.isOnline, !previous.network.isOnline, after.canSend {
            triggers.append(.networkReturned)
        } else if before.strategy <= .wifiOnly, after.strategy >= .batched, after.canSend {
            triggers.append(.uploadsAllowed)
        }
        return triggers
    }
}
