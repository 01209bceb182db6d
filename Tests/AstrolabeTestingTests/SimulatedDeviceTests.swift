import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

struct SimulatedDeviceTests {
    private let device = SimulatedDevice()

    @Test func `a new device wants for nothing`() {
        let expected = Conditions(
            network: .wifi, power: Power(level: 0.8, source: .unplugged), thermal: .nominal, memory: .normal,
            lifecycle: .active,
        )
        #expect(device.current == expected)
        #expect(device.context.deviceModel == "iPhone SE (3rd generation)")
    }

    @Test func `the network comes and goes`() {
        device.goOffline()
        #expect(device.current.network == .offline)
        let weak = NetworkPath(.cellular, radio: .edge, isConstrained: true)
        device.goOnline(over: weak)
        #expect(device.current.network == weak)
        device.goOnline()
        #expect(device.current.network == .wifi)
    }

    @Test func `the battery drains and fills, and keeps what is not spoken of`() {
        device.setLowPowerMode(true)
        device.drainBattery(to: 0.04)
        #expect(device.current.power == Power(level: 0.04, source: .unplugged, isLowPowerMode: true))
        device.plugIn()
        #expect(device.current.power == Power(level: 0.04, source: .charging, isLowPowerMode: true))
        device.setLowPowerMode(false)
        device.unplug()
        #expect(device.current.power == Power(level: 0.04, source: .unplugged))
        device.drainBattery(to: nil)
        #expect(device.current.power.level == nil)
    }

    @Test func `heat and want of memory come and go`() {
        device.heatUp(to: .critical)
        device.runShortOfMemory()
        #expect(device.current.thermal == .critical)
        #expect(device.current.memory == .warning)
        device.coolDown()
        device.runShortOfMemory(.critical)
        #expect(device.current.thermal == .nominal)
        #expect(device.current.memory == .critical)
        device.regainMemory()
        #expect(device.current == SimulatedDevice().current)
    }

    @Test func `the app goes to the background and comes back step by step`() {
        let steps = Locked<[String?]>([])
        let observation = device.observe { change in steps.withLock { $0.append(change.lifecycle?.appState) } }
        #expect(device.enterBackground())
        #expect(device.enterForeground())
        #expect(steps.withLock { $0 } == ["inactive", "background", "foreground", "active"])
        observation.cancel()
    }

    @Test func `an app that was terminated does not come back`() {
        device.terminate()
        #expect(!device.enterForeground())
        #expect(!device.apply(ConditionsUpdate(thermal: .fair, lifecycle: .background)))
        #expect(device.current.lifecycle == .terminated)
        #expect(device.current.thermal == .fair)
    }

    @Test func `the context tells the power and heat of the moment`() {
        device.drainBattery(to: 0.15)
        device.setLowPowerMode(true)
        device.heatUp(to: .serious)
        device.goOnline(over: NetworkPath(.cellular, carrierName: "Example Mobile"))
        let context = device.context
        #expect(context.batteryLevel == 0.15)
        #expect(context.batteryState == .unplugged)
        #expect(context.isLowPowerMode)
        #expect(context.thermalState == .serious)
        #expect(context.carrier == "Example Mobile")
        #expect(context.installedMemoryGB == 4)
    }

    @Test func `who asks for a monitor is served until the monitor is stopped, and again after it`() async {
        let monitor: any ConditionsMonitor = device
        monitor.start()
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next() == .nominal)
        device.goOffline()
        #expect(await changes.next()?.network == .offline)
        monitor.stop()
        #expect(await changes.next() == nil)
        monitor.start()
        var later = monitor.changes().makeAsyncIterator()
        #expect(await later.next()?.network == .offline)
    }
}

struct DeviceScriptTests {
    private let clock = TestClock()

    @Test func `a script is played to the second`() {
        let script = ConditionsScript.commute(stepping: .seconds(10))
        let device = SimulatedDevice(playing: script, on: clock)
        for second in 0...60 {
            #expect(device.current == script.conditions(at: .seconds(second)))
            clock.advance(by: .seconds(1))
        }
    }

    @Test func `a script that begins later is played from then on`() {
        clock.advance(by: .seconds(3600))
        let device = SimulatedDevice(playing: .commute(stepping: .seconds(10)), on: clock)
        clock.advance(by: .seconds(9))
        #expect(device.current.network == .wifi)
        clock.advance(by: .seconds(1))
        #expect(device.current.network == .offline)
    }

    @Test func `over many steps at once every change is told, in order`() {
        let device = SimulatedDevice(playing: .commute(stepping: .seconds(10)), on: clock)
        let paths = Locked<[NetworkPath.Medium]>([])
        let observation = device.observe { change in paths.withLock { $0.append(change.current.network.medium) } }
        clock.advance(by: .seconds(86_400))
        #expect(paths.withLock { $0 } == [.offline, .cellular, .cellular, .offline, .wifi])
        observation.cancel()
    }

    @Test func `a script may come from a file`() throws {
        let text = """
            { "initial": { "network": { "type": "wifi" }, "lifecycle": "active" },
              "steps": [ { "at": 20, "note": "enters the lift", "network": { "type": "offline" } },
                         { "at": 65.5, "network": { "type": "cellular", "subtype": "lte" } } ] }
            """
        let script = try JSONDecoder().decode(ConditionsScript.self, from: Data(text.utf8))
        let device = SimulatedDevice(playing: script, on: clock)
        clock.advance(by: .seconds(65))
        #expect(device.current == Conditions(network: .offline, lifecycle: .active))
        clock.advance(by: .milliseconds(500))
        #expect(device.current.network == NetworkPath(.cellular, radio: .lte))
    }

    @Test func `a script ends with its device`() {
        var device: SimulatedDevice? = SimulatedDevice(playing: .commute(), on: clock)
        #expect(clock.nextDeadline == TestClock.Instant(offset: .seconds(10)))
        #expect(device?.current.network == .wifi)
        device = nil
        #expect(clock.nextDeadline == nil)
    }
}
