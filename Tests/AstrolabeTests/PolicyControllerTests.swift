import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Dispatch
import Testing

@testable import Astrolabe

/// A driver over simulated conditions, with its records in memory and its actions in lists.
private final class DrivenPhone: Sendable {
    let conditions: SimulatedConditions
    let sink = MemorySink()
    let registry: MetricRegistry
    let driver: PolicyController
    let decisions = Locked<[PolicyDecision]>([])
    let triggers = Locked<[FlushTrigger]>([])
    /// Called before a decision is noted, on the thread that brings it.
    let onApply = Locked<@Sendable (PolicyDecision) -> Void>({ _ in })

    init(
        _ initial: Conditions = Conditions(network: .wifi, lifecycle: .active),
        beforeStart: (SimulatedConditions) -> Void = { _ in },
    ) {
        conditions = SimulatedConditions(initial)
        let core = RecordingCore(sink: sink)
        registry = MetricRegistry(core: core)
        let device = DeviceContext(
            platform: "ios", osName: "iOS", osVersion: "18.1", manufacturer: "Apple", deviceModelRaw: "iPhone16,1",
            processorCount: 6, physicalMemoryGB: 5.5, locale: "en_US", timezone: "Europe/Berlin", appVersion: "1",
            buildNumber: "1",
        )
        driver = PolicyController(
            CollectionPolicy(), device: device, monitor: conditions,
            recorder: ConditionsRecorder(core: core, registry: registry),
            actions: PolicyController.Actions(
                apply: { [decisions, onApply] decision in
                    onApply.withLock { $0 }(decision)
                    decisions.withLock { $0.append(decision) }
                },
                flush: { [triggers] trigger in triggers.withLock { $0.append(trigger) } },
                sample: { ResourceSample(time: .zero, cpuTime: .zero, memoryBytes: 0, bytesSent: 0) },
                sleep: { _ in throw CancellationError() },
            ),
        )
        beforeStart(conditions)
        driver.start()
    }

    func events(named name: String) throws -> [LogRecordData] { try sink.events.filter { $0.eventName == name } }
}

@Suite struct `The policy at work` {
    @Test func `acts on the first conditions and then on every change that makes a difference`() throws {
        let phone = DrivenPhone()
        phone.conditions.apply(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged)))
        phone.conditions.apply(ConditionsUpdate(power: Power(level: 0.14, source: .unplugged)))
        #expect(phone.decisions.withLock { $0.map(\.mode) } == [.normal, .reduced])
        let change = try #require(try phone.events(named: "astrolabe.policy.change").only)
        #expect(change.attributes["astrolabe.policy.mode"] == "reduced")
        #expect(change.attributes["astrolabe.policy.previous_mode"] == "normal")
        guard case .array(let reasons)? = change.attributes["astrolabe.policy.reasons"] else {
            Issue.record("expected reasons")
            return
        }
        #expect(reasons.first?.stringValue?.contains("15 %") == true)
    }

    @Test func `what changed while the SDK was being put together is not missed`() {
        let phone = DrivenPhone { conditions in
            conditions.apply(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged)))
        }
        #expect(phone.driver.decision.mode == .reduced)
        #expect(phone.decisions.withLock { $0.map(\.mode) } == [.reduced])
    }

    @Test func `is sampled soon again when records arrive quickly or the conditions change`() {
        let phone = DrivenPhone()
        func rest() {
            for second in [0, 5, 15] {
                phone.driver.observe(
                    ResourceSample(time: .seconds(second), cpuTime: .zero, memoryBytes: 0, bytesSent: 0))
            }
        }
        rest()
        #expect(phone.driver.samplingInterval > SamplingPace.shortest)
        phone.driver.quicken()
        #expect(phone.driver.samplingInterval == SamplingPace.shortest)
        rest()
        phone.conditions.moveLifecycle(to: .background)
        #expect(phone.driver.samplingInterval == SamplingPace.shortest)
    }

    @Test func `decisions that follow at once from a change and from the budget take effect in their order`() {
        let phone = DrivenPhone()
        func sample(at second: Int, cpu: Int) -> ResourceSample {
            ResourceSample(time: .seconds(second), cpuTime: .seconds(cpu), memoryBytes: 0, bytesSent: 0)
        }
        phone.driver.observe(sample(at: 0, cpu: 0))
        let overload = sample(at: 5, cpu: 5)
        phone.onApply.withLock { onApply in
            onApply = { [driver = phone.driver] decision in
                guard decision.mode == .reduced else { return }
                // The thread that samples comes while the change is being dealt with.
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    driver.observe(overload)
                    done.signal()
                }
                done.wait()
            }
        }
        phone.conditions.apply(ConditionsUpdate(power: Power(level: 0.15, source: .unplugged)))
        #expect(phone.decisions.withLock { $0.map(\.mode) } == [.normal, .reduced, .minimal])
        #expect(phone.driver.decision.mode == .minimal)
    }

    @Test func `a new network is an event, and stands on every record that follows`() throws {
        let phone = DrivenPhone()
        phone.conditions.apply(ConditionsUpdate(network: NetworkPath(.cellular, radio: .lte)))
        let change = try #require(try phone.events(named: "network.change").only)
        #expect(change.attributes["network.connection.type"] == "cell")
        #expect(change.attributes["network.connection.subtype"] == "lte")
        phone.conditions.apply(ConditionsUpdate(network: .offline))
        let last = try #require(try phone.events(named: "network.change").last)
        #expect(last.attributes["network.connection.type"] == "unavailable")
        #expect(last.attributes["network.connection.subtype"] == nil, "of the path before")
    }

    @Test func `the app's life is told in the words of the conventions, each step once`() throws {
        let phone = DrivenPhone()
        phone.conditions.apply(ConditionsUpdate(lifecycle: .background))
        phone.conditions.apply(ConditionsUpdate(lifecycle: .active))
        let states = try phone.events(named: "device.app.lifecycle").map { $0.attributes["ios.app.state"] }
        #expect(states == ["inactive", "background", "foreground", "active"])
        #expect(phone.triggers.withLock { $0 } == [.enteredBackground, .becameActive])
    }

    @Test func `what ends the wait for a network asks for a flush`() {
        let phone = DrivenPhone(Conditions(network: .offline, lifecycle: .active))
        phone.conditions.apply(ConditionsUpdate(network: .wifi))
        #expect(phone.triggers.withLock { $0 } == [.networkReturned])
    }

    @Test func `the time in the state before a change is measured`() throws {
        let phone = DrivenPhone()
        phone.conditions.apply(ConditionsUpdate(power: Power(level: 0.5, isLowPowerMode: true)))
        phone.conditions.apply(ConditionsUpdate(power: Power(level: 0.5)))
        phone.registry.collect()
        let metric = try #require(try phone.sink.metrics.only)
        #expect(metric.name == "astrolabe.conditions.duration")
        guard case .histogram(let points, _) = metric.data else {
            Issue.record("expected a histogram, found \(metric.data)")
            return
        }
        let lowPower: Attributes = [
            "astrolabe.conditions.part": "power", "astrolabe.conditions.state": "low_power_mode",
        ]
        #expect(points.contains { $0.attributes == lowPower && $0.count == 1 })
    }

    @Test func `a step of the network and one of the app's state say from where to where`() throws {
        let phone = DrivenPhone()
        phone.conditions.apply(ConditionsUpdate(network: .offline))
        phone.conditions.apply(ConditionsUpdate(lifecycle: .background))
        phone.registry.collect()
        func points(of name: String) throws -> [Attributes] {
            let metric = try #require(try phone.sink.metrics.first { $0.name == name })
            guard case .sum(let points, .delta, isMonotonic: true) = metric.data else { return [] }
            #expect(points.allSatisfy { $0.value == .int(1) })
            return points.map(\.attributes)
        }
        let steps = try points(of: "app.state_transition")
        #expect(steps.first?["from"]?.stringValue == "active" && steps.last?["to"]?.stringValue == "background")
        let status = try points(of: "network.status_change")
        #expect(status.only?["online"]?.boolValue == false)
        #expect(status.only?["type"]?.stringValue == "offline")
    }

    @Test func `stopped, it follows nothing more`() {
        let phone = DrivenPhone()
        phone.driver.stop()
        phone.conditions.apply(ConditionsUpdate(network: .offline))
        #expect(phone.decisions.withLock { $0.count } == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A phone that loses its network` {
    @Test func `keeps its records over a restart and says where they are`() async throws {
        var configuration = TelemetryConfiguration(serviceName: "test")
        configuration.storageDirectory = temporaryFolder()
        configuration.conditions = SimulatedConditions(Conditions(network: .offline, lifecycle: .active))
        configuration.endpoint = nil
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        let first = Telemetry.start(configuration, transport: UnreachableTransport())
        first.tracer("test").withSpan("kept") { _ in }
        let report = await first.shutdown()
        #expect(report.ledger.inQueue == report.ledger.created)
        #expect(report.ledger.created >= 2, "the span and the session's start")
        let second = Telemetry.start(configuration, transport: UnreachableTransport())
        let later = await second.report
        #expect(later.ledger.isBalanced)
        #expect(later.ledger.inQueue == report.ledger.inQueue)
        await second.shutdown()
    }
}

extension Collection {
    /// The element of a collection of one; `nil` if it has none or more.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
