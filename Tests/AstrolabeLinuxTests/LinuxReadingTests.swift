import AstrolabeDeviceConditions
import AstrolabeTestSupport
import Testing

@testable import AstrolabeLinux

struct LinuxNetworkTests {
    private func path(_ files: [String: String]) throws -> NetworkPath {
        let fixture = try FixtureTree(files)
        return LinuxNetwork.path(in: fixture.tree)
    }

    @Test func `no default route is no network`() throws {
        #expect(try path([:]) == .offline)
        let local = "eth0\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"
        #expect(try path(Fixtures.routes(local) + Fixtures.interface("eth0")) == .offline)
    }

    @Test func `a default route over a cable is ethernet`() throws {
        let files = Fixtures.routes(Fixtures.route("eth0", metric: 100)) + Fixtures.interface("eth0")
        #expect(try path(files) == .ethernet)
    }

    @Test func `a default route over a radio is Wi-Fi`() throws {
        let files = Fixtures.routes(Fixtures.route("wlan0", metric: 600)) + Fixtures.wifi()
        #expect(try path(files) == .wifi)
    }

    @Test func `the lowest metric wins while its interface is up`() throws {
        let routes = Fixtures.routes(Fixtures.route("wlan0", metric: 600), Fixtures.route("eth0", metric: 100))
        #expect(try path(routes + Fixtures.wifi() + Fixtures.interface("eth0")) == .ethernet)
        #expect(try path(routes + Fixtures.wifi() + Fixtures.interface("eth0", state: "down")) == .wifi)
        #expect(
            try path(routes + Fixtures.wifi(state: "dormant") + Fixtures.interface("eth0", state: "down")) == .offline)
    }

    @Test func `a modem is cellular and expensive`() throws {
        let uevent = ["uevent": "DEVTYPE=wwan"]
        let route = Fixtures.routes(Fixtures.route("wwan0", metric: 700, flags: "0001"))
        let byEvent = try path(route + Fixtures.interface("wwan0", type: 65534, state: "unknown", extra: uevent))
        let byType = try path(route + Fixtures.interface("wwan0", type: 519, state: "unknown"))
        #expect(byEvent == .cellular)
        #expect(byType == .cellular)
        #expect(byEvent.isExpensive)
    }

    @Test func `a tunnel has the medium of the device below it`() throws {
        let routes = Fixtures.routes(Fixtures.route("tun0", metric: 50), Fixtures.route("wlan0", metric: 600))
        let tunnel = Fixtures.interface("tun0", type: 65534, state: "unknown")
        #expect(try path(routes + tunnel + Fixtures.wifi()) == .wifi)
        #expect(try path(Fixtures.routes(Fixtures.route("tun0", metric: 50)) + tunnel) == .unknown)
    }

    @Test func `a rejecting route is no path`() throws {
        let files = Fixtures.routes(Fixtures.route("eth0", metric: 0, flags: "0201")) + Fixtures.interface("eth0")
        #expect(try path(files) == .offline)
    }

    @Test func `an IPv6-only network is a network`() throws {
        let zeros = String(repeating: "0", count: 32)
        let gateway = "fe80" + String(repeating: "0", count: 27) + "1"
        let lines = """
            \(zeros) 00 \(zeros) 00 \(gateway) 00000258 00000001 00000000 00000003    wlan0
            \(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo
            """
        #expect(try path(["proc/net/ipv6_route": lines] + Fixtures.wifi()) == .wifi)
        #expect(
            LinuxNetwork.defaultRoutes(ipv6: lines) == [LinuxNetwork.DefaultRoute(interface: "wlan0", metric: 600)])
    }

    @Test func `invalid lines are ignored`() {
        #expect(LinuxNetwork.defaultRoutes(ipv4: Fixtures.routeHeader + "\nnonsense\n\t\t\n").isEmpty)
        #expect(LinuxNetwork.defaultRoutes(ipv6: "zz 00 zz 00").isEmpty)
    }
}

struct LinuxPowerTests {
    private func power(_ files: [String: String]) throws -> Power {
        let fixture = try FixtureTree(files)
        return LinuxPower.power(in: fixture.tree)
    }

    @Test func `a machine without a battery has unknown power`() throws {
        #expect(try power([:]) == .unknown)
        #expect(try power(Fixtures.mains(isOnline: true)) == .unknown)
    }

    @Test(arguments: [
        ("Discharging", false, Power.Source.unplugged), ("Charging", true, .charging), ("Full", true, .full),
        ("Not charging", true, .full), ("Not charging", false, .unplugged), ("Unknown", true, .charging),
        ("Unknown", false, .unknown),
    ])
    func `a battery's status and the mains determine the source`(
        status: String, isOnMains: Bool, source: Power.Source,
    ) throws {
        let files = Fixtures.battery(percent: 80, status: status) + Fixtures.mains(isOnline: isOnMains)
        #expect(try power(files) == Power(level: 0.8, source: source))
    }

    @Test func `two batteries are weighted by their capacities`() throws {
        let files =
            Fixtures.battery("BAT0", percent: 100, status: "Full", extra: ["energy_full": "10000000"])
            + Fixtures.battery("BAT1", percent: 20, status: "Discharging", extra: ["energy_full": "30000000"])
        #expect(try power(files) == Power(level: 0.4, source: .unplugged))
    }

    @Test func `two batteries count equally if one does not report its capacity`() throws {
        let files =
            Fixtures.battery("BAT0", percent: 100, status: "Full", extra: ["energy_full": "10000000"])
            + Fixtures.battery("BAT1", percent: 20, status: "Charging")
        #expect(try power(files) == Power(level: 0.6, source: .charging))
    }

    @Test func `the battery of a mouse is not the device's`() throws {
        #expect(
            try power(Fixtures.battery("mouse", percent: 3, status: "Discharging", extra: ["scope": "Device"]))
                == .unknown)
    }

    @Test func `an empty bay and an impossible level are unknown`() throws {
        #expect(try power(Fixtures.battery(percent: 0, status: "Unknown", extra: ["present": "0"])) == .unknown)
        #expect(try power(Fixtures.battery(percent: 255, status: "Discharging")).level == nil)
    }

    @Test func `the low-power profile is the low power mode`() throws {
        #expect(try power(["sys/firmware/acpi/platform_profile": "low-power"]).isLowPowerMode)
        #expect(try !power(["sys/firmware/acpi/platform_profile": "balanced"]).isLowPowerMode)
    }
}

struct LinuxThermalTests {
    private func state(celsius: Int, trips: [(String, Int)], extra: [String: String] = [:]) throws -> ThermalState {
        let zone = "sys/class/thermal/thermal_zone0/"
        var files = [zone + "type": "x86_pkg_temp", zone + "temp": "\(celsius * 1000)"]
        for (index, trip) in trips.enumerated() {
            files[zone + "trip_point_\(index)_type"] = trip.0
            files[zone + "trip_point_\(index)_temp"] = "\(trip.1 * 1000)"
        }
        let fixture = try FixtureTree(files + extra)
        return LinuxThermal.state(in: fixture.tree)
    }

    @Test(arguments: [(40, ThermalState.nominal), (60, .fair), (85, .serious), (100, .critical), (120, .critical)])
    func `each trip point begins a state`(celsius: Int, expected: ThermalState) throws {
        let trips = [("critical", 110), ("active", 60), ("passive", 85), ("hot", 100)]
        #expect(try state(celsius: celsius, trips: trips) == expected)
    }

    @Test(arguments: [(79, ThermalState.nominal), (80, .fair), (90, .serious), (100, .critical)])
    func `a zone with only a critical trip point gets steps of ten degrees below it`(
        celsius: Int, expected: ThermalState,
    ) throws {
        #expect(try state(celsius: celsius, trips: [("critical", 100)]) == expected)
    }

    @Test func `a zone without trip points is ignored`() throws {
        #expect(try state(celsius: 150, trips: []) == .nominal)
        #expect(try state(celsius: 150, trips: [("passive", 0)]) == .nominal)
    }

    @Test func `a disabled zone is ignored`() throws {
        let off = ["sys/class/thermal/thermal_zone0/mode": "disabled"]
        #expect(try state(celsius: 150, trips: [("critical", 100)], extra: off) == .nominal)
    }

    @Test func `the hottest zone counts`() throws {
        let second = "sys/class/thermal/thermal_zone12/"
        let hot = [
            second + "temp": "99000", second + "trip_point_0_type": "passive", second + "trip_point_0_temp": "90000",
        ]
        #expect(try state(celsius: 20, trips: [("critical", 100)], extra: hot) == .serious)
    }
}

struct LinuxMemoryTests {
    private func pressure(_ files: [String: String]) throws -> MemoryPressure {
        let fixture = try FixtureTree(files)
        return LinuxMemory.pressure(in: fixture.tree)
    }

    @Test(arguments: [
        ("0.00", "0.00", MemoryPressure.normal), ("9.99", "4.99", .normal), ("10.00", "0.00", .warning),
        ("40.00", "5.00", .critical),
    ])
    func `stalls of the last ten seconds are pressure`(some: String, full: String, expected: MemoryPressure) throws {
        #expect(try pressure(Fixtures.pressure(some: some, full: full)) == expected)
    }

    @Test(arguments: [(4000, MemoryPressure.normal), (900, .warning), (400, .critical)])
    func `without PSI the available memory counts`(left: Int, expected: MemoryPressure) throws {
        #expect(try pressure(["proc/meminfo": "MemTotal: 10000 kB\nMemAvailable: \(left) kB"]) == expected)
    }

    @Test func `unknown is no pressure`() throws {
        #expect(try pressure([:]) == .normal)
        #expect(try pressure(["proc/meminfo": "garbage"]) == .normal)
    }

    @Test func `an alarm holds for the period of the averages`() {
        let second: UInt64 = 1_000_000_000
        var latch = PressureLatch()
        #expect(latch.level(polled: .normal, at: 100 * second) == .normal)
        latch.raise(.critical, at: 100 * second)
        latch.raise(.warning, at: 101 * second)
        #expect(latch.level(polled: .normal, at: 110 * second) == .critical)
        #expect(latch.level(polled: .normal, at: 111 * second) == .normal)
        #expect(latch.level(polled: .warning, at: 111 * second) == .warning)
        latch.raise(.warning, at: 200 * second)
        #expect(latch.level(polled: .normal, at: 201 * second) == .warning)
    }
}
