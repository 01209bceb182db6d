import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDeviceConditions

extension FixtureTree {
    fileprivate var tree: SystemTree { SystemTree(root: root.path) }
}

struct DeviceContextTests {
    private let phone = DeviceContext(
        platform: "ios", osName: "iOS", osVersion: "26.1", manufacturer: "Apple", deviceModelRaw: "iPhone16,1",
        screenSize: DeviceContext.ScreenSize(width: 393, height: 852), screenScale: 3, isSimulator: true,
        processorCount: 6, physicalMemoryGB: 7.47, power: Power(level: 0.42, source: .charging, isLowPowerMode: true),
        thermalState: .fair, orientation: .portrait, locale: "en_GB", timezone: "Europe/London", carrier: "Example",
        appVersion: "2.1.0", buildNumber: "417",
    )

    @Test(arguments: [
        ("iPhone10,1", "iPhone 8"), ("iPhone16,1", "iPhone 15 Pro"), ("iPhone18,4", "iPhone Air"),
        ("iPad16,3", "iPad Pro 11-inch (M4)"),
    ])
    func `a model has its marketing name`(identifier: String, name: String) {
        #expect(DeviceModelTable.name(of: identifier) == name)
    }

    @Test func `an unknown model is its own name`() {
        #expect(DeviceModelTable.name(of: "iPhone99,1") == "iPhone99,1")
    }

    @Test func `the resource has what does not change, under the names of the semantic conventions`() {
        let attributes = phone.resourceAttributes
        #expect(attributes["os.name"] == .string("iOS"))
        #expect(attributes["os.type"] == .string("darwin"))
        #expect(attributes["os.version"] == .string("26.1"))
        #expect(attributes["device.manufacturer"] == .string("Apple"))
        #expect(attributes["device.model.identifier"] == .string("iPhone16,1"))
        #expect(attributes["device.model.name"] == .string("iPhone 15 Pro"))
        #expect(attributes["service.version"] == .string("2.1.0"))
        #expect(attributes["astrolabe.app.build_number"] == .string("417"))
        #expect(attributes["astrolabe.device.screen.scale"] == .number(3))
        #expect(attributes["astrolabe.device.is_simulator"] == .boolean(true))
    }

    @Test func `what changes is not in the resource`() {
        #expect(Set(phone.resourceAttributes.keys).isDisjoint(with: phone.momentAttributes.keys))
        #expect(phone.momentAttributes["astrolabe.device.battery.level"] == .number(0.42))
        #expect(phone.momentAttributes["astrolabe.device.thermal_state"] == .string("fair"))
        #expect(phone.momentAttributes["network.carrier.name"] == .string("Example"))
    }

    @Test func `what changes follows the conditions`() {
        var conditions = Conditions(
            network: NetworkPath(.cellular, carrierName: "Other"),
            power: Power(level: 0.07, source: .unplugged, isLowPowerMode: true), thermal: .serious)
        conditions.orientation = .landscapeLeft
        let attributes = phone.updated(with: conditions).momentAttributes
        #expect(attributes["astrolabe.device.battery.level"] == .number(0.07))
        #expect(attributes["astrolabe.device.battery.state"] == .string("unplugged"))
        #expect(attributes["astrolabe.device.low_power_mode"] == .boolean(true))
        #expect(attributes["astrolabe.device.thermal_state"] == .string("serious"))
        #expect(attributes["astrolabe.device.orientation"] == .string("landscapeLeft"))
        #expect(attributes["network.carrier.name"] == .string("Other"))
    }

    @Test func `the orientation survives JSON and changes alone`() throws {
        var update = ConditionsUpdate()
        update.orientation = .faceDown
        let decoded = try JSONDecoder().decode(ConditionsUpdate.self, from: JSONEncoder().encode(update))
        #expect(decoded == update)
        let states = decoded.states(from: Conditions(network: .wifi))
        #expect(states.map(\.orientation) == [.faceDown])
        #expect(states.first?.network == .wifi)
    }

    @Test func `every field reaches an attribute`() throws {
        let fields = Mirror(reflecting: phone).children.count
        let expanded = 1  // the screen's size is two attributes
        let systemType = 1  // made of the platform
        #expect(phone.resourceAttributes.count + phone.momentAttributes.count == fields + expanded + systemType)
    }

    @Test(arguments: [(1.95, 2), (3.69, 4), (5.54, 6), (6.0, 6), (7.47, 8), (15.6, 16)])
    func `installed memory is a whole number`(reported: Double, installed: Double) {
        var device = phone
        device.physicalMemoryGB = reported
        #expect(device.installedMemoryGB == installed)
    }

    @Test func `a Linux device is read from its files and environment`() throws {
        let files = try FixtureTree(
            [
                "etc/os-release": "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"",
                "sys/class/dmi/id/product_name": "Laptop 14",
                "sys/class/dmi/id/sys_vendor": "Example",
                "proc/meminfo": "MemTotal:        8000000 kB\nMemAvailable:    4000000 kB",
            ])
        let link = files.root.appendingPathComponent("etc/localtime").path
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "/usr/share/zoneinfo/Europe/Berlin",
        )
        let device = LinuxDevice.context(
            tree: files.tree, environment: { ["LANG": "de_DE.UTF-8"][$0] }, processorCount: 8, appVersion: "1.0",
            buildNumber: "7",
        )
        #expect(device.osName == "Debian GNU/Linux")
        #expect(device.osVersion == "12")
        #expect(device.deviceModel == "Laptop 14")
        #expect(device.manufacturer == "Example")
        #expect(device.installedMemoryGB == 8)
        #expect(device.batteryLevel == nil)
        #expect(device.batteryState == .unknown)
        #expect(device.locale == "de_DE")
        #expect(device.timezone == "Europe/Berlin")
    }

    @Test(arguments: [("4", 4.0), ("0", 8.0), ("much", 8.0), ("", 8.0)])
    func `the memory of a device that the process imitates takes precedence over the machine's`(
        setting: String, memory: Double,
    ) throws {
        let files = try FixtureTree(["proc/meminfo": "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB"])
        let device = withExtendedLifetime(files) {
            LinuxDevice.context(
                tree: files.tree, environment: { ["ASTROLABE_DEVICE_MEMORY_GB": setting][$0] }, processorCount: 1,
                appVersion: "", buildNumber: "")
        }
        #expect(device.physicalMemoryGB == memory)
    }

    @Test func `a Linux distribution describes itself and may have a build`() throws {
        let files = try FixtureTree(["etc/os-release": "PRETTY_NAME=\"Example Linux 12 (moon)\"\nBUILD_ID=2026.11"])
        let system = withExtendedLifetime(files) { SystemIdentity(tree: files.tree) }
        #expect(system.description == "Example Linux 12 (moon)" && system.buildID == "2026.11")
        let unknown = try FixtureTree([:])
        withExtendedLifetime(unknown) {
            #expect(SystemIdentity(tree: unknown.tree).description.isEmpty)
            #expect(SystemIdentity(tree: unknown.tree).buildID.isEmpty)
        }
    }

    @Test func `a value of a distribution begins after the first equals sign, and an empty one is none`() throws {
        let text = "NAME=\nVERSION_ID\nPRETTY_NAME=\"Größe = 1\""
        #expect(LinuxDevice.fields(of: text) == ["PRETTY_NAME": "Größe = 1"])
        let files = try FixtureTree(["etc/os-release": text])
        let device = withExtendedLifetime(files) {
            LinuxDevice.context(
                tree: files.tree, environment: { _ in nil }, processorCount: 1, appVersion: "", buildNumber: "")
        }
        #expect(device.osName == "Linux")
    }

    @Test func `the environment's time zone takes precedence over the system's`() throws {
        let device = LinuxDevice.context(
            tree: try FixtureTree(["etc/timezone": "Asia/Tokyo"]).tree, environment: { $0 == "TZ" ? ":UTC" : nil },
            processorCount: 1, appVersion: "", buildNumber: "",
        )
        #expect(device.timezone == "UTC")
        #expect(device.resourceAttributes["astrolabe.app.build_number"] == nil)
    }

    #if os(Linux)
    @Test func `this machine has a system, processors and memory`() {
        let device = DeviceContext.current(appVersion: "1.2.3", buildNumber: "9")
        #expect(device.platform == "linux")
        #expect(!device.osName.isEmpty)
        #expect(device.processorCount > 0)
        #expect(device.physicalMemoryGB > 0.1)
        #expect(device.appVersion == "1.2.3")
    }
    #endif
}
