import AstrolabeDeviceConditions

/// The thermal state of a Linux device: that of its hottest zone, relative to the firmware's trip points.
///
/// | state | from |
/// |---|---|
/// | critical | the first `hot` or `critical` trip point |
/// | serious | the first `passive` one, at which the kernel throttles; without one, 10 °C below critical |
/// | fair | the first `active` one, at which a fan starts; without one, 10 °C below serious |
///
/// A zone without trip points is ignored: there is nothing to compare its temperature with.
enum LinuxThermal {
    static func state(in tree: SystemTree) -> ThermalState {
        tree.names(in: directory)
            .filter { $0.hasPrefix("thermal_zone") }
            .map { state(ofZone: directory + "/" + $0, in: tree) }
            .max() ?? .nominal
    }

    private static func state(ofZone zone: String, in tree: SystemTree) -> ThermalState {
        guard tree.text(zone + "/mode") != "disabled", let temperature = tree.integer(zone + "/temp") else {
            return .nominal
        }
        var first: [String: Int] = [:]
        for name in tree.names(in: zone) where name.hasPrefix("trip_point_") && name.hasSuffix("_type") {
            let point = zone + "/" + name.dropLast("_type".count)
            guard let kind = tree.text(zone + "/" + name), let trip = tree.integer(point + "_temp"), trip > 0 else {
                continue
            }
            first[kind] = min(first[kind] ?? trip, trip)
        }
        let critical = [first["hot"], first["critical"]].compactMap(\.self).min()
        let serious = first["passive"] ?? critical.map { $0 - step }
        let fair = first["active"] ?? serious.map { $0 - step }
        if let critical, temperature >= critical { return .critical }
        if let serious, temperature >= serious { return .serious }
        if let fair, temperature >= fair { return .fair }
        return .nominal
    }

    /// 10 °C in the files' unit of 0.001 °C.
    private static let step = 10_000
    private static let directory = "/sys/class/thermal"
}
