package import ShopAPI

/// The fault flags as they stand, switchable while the shop runs.
package actor FaultSwitches {
    /// All flags.
    package private(set) var flags: FaultFlags

    package init(_ flags: FaultFlags = FaultFlags()) {
        self.flags = flags
    }

    /// Sets the flags a change names, and returns all of them.
    @discardableResult
    package func apply(_ change: FaultFlagChange) -> FaultFlags {
        flags.apply(change)
        return flags
    }

    /// Replaces all flags.
    package func set(_ flags: FaultFlags) {
        self.flags = flags
    }
}
