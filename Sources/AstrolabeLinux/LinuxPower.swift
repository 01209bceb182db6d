import AstrolabeDeviceConditions

/// The battery and the power profile as Linux reports them.
enum LinuxPower {
    static func power(in tree: SystemTree) -> Power {
        let supplies = tree.names(in: directory).map { directory + "/" + $0 }
        let batteries = supplies.filter {
            tree.text($0 + "/type") == "Battery" && tree.text($0 + "/scope") != "Device" && isPresent($0, in: tree)
        }
        let isOnMains = supplies.contains {
            tree.text($0 + "/type") != "Battery" && tree.text($0 + "/scope") != "Device"
                && (tree.integer($0 + "/online") ?? 0) > 0
        }
        return Power(
            level: level(of: batteries, in: tree),
            source: source(of: batteries.compactMap { tree.text($0 + "/status") }, isOnMains: isOnMains),
            isLowPowerMode: tree.text("/sys/firmware/acpi/platform_profile") == "low-power",
        )
    }

    /// Returns the level of all batteries together, weighted by their full capacities if all report them.
    private static func level(of batteries: [String], in tree: SystemTree) -> Double? {
        let charges = batteries.compactMap { battery -> (percent: Double, weight: Double?)? in
            guard let percent = tree.integer(battery + "/capacity"), (0...100).contains(percent) else { return nil }
            let full = tree.integer(battery + "/energy_full") ?? tree.integer(battery + "/charge_full")
            return (Double(percent), full.flatMap { $0 > 0 ? Double($0) : nil })
        }
        guard !charges.isEmpty else { return nil }
        let isWeighed = charges.allSatisfy { $0.weight != nil }
        let weights = charges.map { isWeighed ? $0.weight ?? 1 : 1 }
        let held = zip(charges, weights).map { $0.percent * $1 }.reduce(0, +)
        return held / weights.reduce(0, +) / 100
    }

    /// Returns the power source. One charging battery means charging. A charge held at a limit (`Not charging` on
    /// mains) counts as full.
    private static func source(of states: [String], isOnMains: Bool) -> Power.Source {
        if states.isEmpty { return .unknown }
        if states.contains("Charging") { return .charging }
        if states.contains("Discharging") { return .unplugged }
        if states.contains("Not charging") { return isOnMains ? .full : .unplugged }
        if states.allSatisfy({ $0 == "Full" }) { return .full }
        return isOnMains ? .charging : .unknown
    }

    private static func isPresent(_ battery: String, in tree: SystemTree) -> Bool {
        tree.integer(battery + "/present") != 0
    }

    private static let directory = "/sys/class/power_supply"
}
