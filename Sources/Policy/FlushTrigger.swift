public import AstrolabeDeviceConditions

/// A change of conditions that triggers an immediate flush.
public enum FlushTrigger: String, Hashable, Sendable, CaseIterable {
    /// A network path is available again.
    case networkReturned
    /// Records that waited for Wi-Fi or the budget may be sent.
    case uploadsAllowed
    case becameActive
    /// The process may be suspended soon: flush within the system's background time.
    case enteredBackground
    /// The process may be ended, and buffers need memory.
    case memoryCritical
    /// The last opportunity: flush within a short timeout.
    case terminating
}

extension CollectionPolicy {
    /// Returns the flush triggers of a change of conditions; often none.
    ///
    /// A flush sends what the decision for the new conditions allows and makes the rest durable.
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
