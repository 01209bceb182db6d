import AstrolabeDeviceConditions
import Testing

@testable import AstrolabePolicy

struct CollectionPolicyTests {
    private func decide(
        _ update: ConditionsUpdate = ConditionsUpdate(), memory: Double = 3.7, cap: BudgetCap? = nil,
        configure: (inout PolicyConfiguration) -> Void = { _ in },
    ) -> PolicyDecision {
        var configuration = PolicyConfiguration()
        configure(&configuration)
        return CollectionPolicy(configuration).decision(
            for: .easy.with(update), on: .phone(memory: memory), cap: cap,
        )
    }

    private func onBattery(_ level: Double?, lowPower: Bool = false) -> ConditionsUpdate {
        ConditionsUpdate(power: Power(level: level, source: .unplugged, isLowPowerMode: lowPower))
    }

    private func charging(_ level: Double = 0.5, lowPower: Bool = false) -> ConditionsUpdate {
        ConditionsUpdate(power: Power(level: level, source: .charging, isLowPowerMode: lowPower))
    }

    @Test(arguments: [
        (TelemetryMode.full, 15, 4.0), (.normal, 30, 2), (.reduced, 60, 0.5), (.minimal, 120, 0),
    ])
    func `each mode has its flush interval and replay`(mode: TelemetryMode, seconds: Int, frames: Double) {
        let decision = decide(charging(), cap: BudgetCap(mode: mode, resource: .cpu))
        #expect(decision.mode == mode)
        #expect(decision.flushInterval == .seconds(seconds))
        #expect(decision.replayFrameRate == frames)
    }

    @Test func `the mode follows power and heat`() {
        #expect(decide(charging()).mode == .full)
        #expect(decide(ConditionsUpdate(power: Power(level: 1, source: .full))).mode == .full)
        #expect(decide(onBattery(0.5)).mode == .normal)
        #expect(decide(onBattery(0.2)).mode == .normal)
        #expect(decide(onBattery(0.19)).mode == .reduced)
        #expect(decide(onBattery(0.05)).mode == .reduced)
        #expect(decide(onBattery(0.5, lowPower: true)).mode == .minimal)
        #expect(decide(onBattery(nil)).mode == .normal)
        #expect(decide(ConditionsUpdate(thermal: .fair)).mode == .normal)
        #expect(decide(ConditionsUpdate(thermal: .serious)).mode == .reduced)
        #expect(decide(ConditionsUpdate(thermal: .critical)).mode == .minimal)
    }

    @Test func `a charger compensates for the battery but not for heat`() {
        #expect(decide(charging(0.05)).mode == .full)
        #expect(decide(charging(lowPower: true)).mode == .full)
        var hot = charging()
        hot.thermal = .critical
        #expect(decide(hot).mode == .minimal)
        hot.thermal = .serious
        #expect(decide(hot).mode == .reduced)
    }

    @Test(arguments: [
        (LifecycleState.launching, TelemetryMode.normal, 0.0), (.active, .normal, 2), (.inactive, .normal, 2),
        (.background, .reduced, 0), (.terminated, .reduced, 0), (.suspended, .minimal, 0),
    ])
    func `an app in the background collects less and records no replay`(
        state: LifecycleState, mode: TelemetryMode, frames: Double,
    ) {
        let decision = decide(ConditionsUpdate(lifecycle: state))
        #expect(decision.mode == mode)
        #expect(decision.replayFrameRate == frames)
    }

    @Test func `the rate is the mode's rate times all factors`() {
        #expect(decide().samplingRate == 0.1)
        #expect(isClose(decide(memory: 5.5).samplingRate, 0.15))
        #expect(isClose(decide(onBattery(0.15)).samplingRate, 0.05 * 0.5))
        #expect(isClose(decide(ConditionsUpdate(thermal: .serious)).samplingRate, 0.05 * 0.25))
        #expect(isClose(decide(onBattery(0.15), memory: 8).samplingRate, 0.05 * 1.5 * 0.5))
        #expect(decide(charging()).samplingRate == 1)
        #expect(decide(charging(lowPower: true), memory: 8).samplingRate == 0.5)
        #expect(decide(onBattery(0.5, lowPower: true), memory: 8).samplingRate == 0)
    }

    @Test func `rates are configurable`() {
        let rate = decide { $0.samplingRates.normal = 0.4 }.samplingRate
        #expect(rate == 0.4)
    }

    @Test(arguments: [
        (NetworkPath.wifi, UploadStrategy.immediate), (.ethernet, .immediate), (.cellular, .batched),
        (.unknown, .batched), (.offline, .queued), (NetworkPath(.wifi, isExpensive: true), .batched),
        (NetworkPath(.wifi, isConstrained: true), .batched), (NetworkPath(.cellular, isConstrained: true), .wifiOnly),
    ])
    func `the path determines how records are sent`(path: NetworkPath, strategy: UploadStrategy) {
        #expect(decide(ConditionsUpdate(network: path)).upload.strategy == strategy)
    }

    @Test func `with cellular uploads disabled, records wait for Wi-Fi, except for crashes`() {
        let plan = decide(ConditionsUpdate(network: .cellular)) { $0.uploadsOnCellular = false }.upload
        #expect(plan.strategy == .wifiOnly)
        #expect(plan.action(for: .high) == .waitForWifi)
        #expect(plan.action(for: .critical) == .sendNow)
        let hotspot = ConditionsUpdate(network: NetworkPath(.wifi, isExpensive: true))
        #expect(decide(hotspot) { $0.uploadsOnCellular = false }.upload.strategy == .wifiOnly)
    }

    @Test func `a low battery avoids cellular, and a critical one the network`() {
        var low = onBattery(0.15)
        #expect(decide(low).upload.strategy == .immediate)
        low.network = .cellular
        #expect(decide(low).upload.strategy == .wifiOnly)
        let empty = decide(onBattery(0.04))
        #expect(empty.upload.strategy == .queued)
        #expect(empty.upload.action(for: .critical) == .sendNow)
        #expect(empty.upload.action(for: .high) == .queue)
        #expect(decide(charging(0.04)).upload.strategy == .immediate)
    }

    @Test func `nothing is sent without a path or a running app`() {
        for update in [ConditionsUpdate(network: .offline), ConditionsUpdate(lifecycle: .suspended)] {
            let plan = decide(update).upload
            #expect(UploadPriority.allCases.allSatisfy { plan.action(for: $0) == .queue })
        }
    }

    @Test func `a request that begins on Wi-Fi may go on where the policy would let it begin`() {
        let all = decide(ConditionsUpdate(network: .wifi)).upload
        // Cellular in Low Data Mode waits for Wi-Fi, so one of the two is ruled out.
        #expect(all.allowsExpensivePath && !all.allowsConstrainedPath)
        let free = decide(ConditionsUpdate(network: .wifi)) { $0.uploadsOnCellular = false }.upload
        #expect(free.strategy == .immediate)
        #expect(!free.allowsExpensivePath && free.allowsConstrainedPath)
        let cellular = decide(ConditionsUpdate(network: .cellular)).upload
        #expect(cellular.allowsExpensivePath && !cellular.allowsConstrainedPath)
    }

    @Test func `the background sends in batches`() {
        #expect(decide(ConditionsUpdate(lifecycle: .background)).upload.strategy == .batched)
    }

    @Test func `a collector on this machine needs no network`() {
        let decision = decide(ConditionsUpdate(network: .offline)) { $0.isCollectorLocal = true }
        #expect(decision.upload == UploadPlan(.immediate, canSend: true))
        #expect(decision.reasons.contains(PolicyReason(.localCollector, .upload(atMost: .immediate))))
    }

    @Test(arguments: [
        (MemoryPressure.normal, 100, 240, 2.0), (.warning, 50, 100, 2), (.critical, 20, 0, 0),
    ])
    func `memory pressure shortens the buffers and finally stops the replay`(
        pressure: MemoryPressure, breadcrumbs: Int, frames: Int, rate: Double,
    ) {
        let decision = decide(ConditionsUpdate(memory: pressure))
        #expect(decision.buffers == PolicyDecision.Buffers(breadcrumbs: breadcrumbs, replayFrames: frames))
        #expect(decision.replayFrameRate == rate)
        #expect(decision.mode == .normal)
    }

    @Test func `small buffers are not enlarged by a warning`() {
        let decision = decide(ConditionsUpdate(memory: .warning)) {
            $0.breadcrumbLimit = 10
            $0.replayFrameLimit = 30
        }
        #expect(decision.buffers == PolicyDecision.Buffers(breadcrumbs: 10, replayFrames: 30))
    }

    @Test func `each kind has its priority and its place in each mode`() {
        #expect(TelemetryKind.allCases.map(\.priority) == [.low, .normal, .normal, .normal, .high, .critical])
        let modes: [TelemetryMode] = [.full, .normal, .reduced, .minimal]
        func row(_ kind: TelemetryKind, isOfApp: Bool = false) -> [KindAdmission] {
            modes.map { kind.admission(in: $0, isOfApp: isOfApp) }
        }
        for kind in [TelemetryKind.crash, .error] { #expect(row(kind) == [.always, .always, .always, .always]) }
        #expect(row(.trace) == [.ifSampled, .ifSampled, .ifSampled, .never])
        #expect(row(.metric) == [.always, .always, .lessOften, .lessOften])
        #expect(row(.info, isOfApp: true) == [.always, .always, .atLowPriority, .atLowPriority])
        #expect(row(.info) == [.always, .always, .never, .never])
        for isOfApp in [false, true] { #expect(row(.debug, isOfApp: isOfApp) == [.always, .always, .never, .never]) }
    }

    @Test func `strict admission keeps errors, crashes and sampled traces alone`() {
        for kind in [TelemetryKind.metric, .info, .debug] {
            for isOfApp in [false, true] {
                let row = TelemetryMode.allCases.map { kind.admission(in: $0, .strict, isOfApp: isOfApp) }
                #expect(row == [.always, .always, .never, .never])
            }
        }
        let decision = decide(ConditionsUpdate(lifecycle: .background)) { $0.admission = .strict }
        #expect(decision.admission(of: .info, isOfApp: true) == .never)
        #expect(decision.admission(of: .error) == .always)
    }

    @Test func `budgets follow power and heat`() {
        func budget(_ update: ConditionsUpdate) -> ResourceBudget { decide(update).budget }
        #expect(budget(ConditionsUpdate()) == ResourceBudget(.normal))
        #expect(budget(onBattery(0.15)).tier == .lowPower)
        #expect(budget(onBattery(0.5, lowPower: true)).tier == .lowPower)
        #expect(budget(ConditionsUpdate(thermal: .serious)).tier == .lowPower)
        #expect(budget(onBattery(0.09)).tier == .critical)
        #expect(budget(ConditionsUpdate(thermal: .critical)).tier == .critical)
        #expect(budget(charging(0.05, lowPower: true)).tier == .normal)
        #expect(
            [0.05, 0.02, 0.01]
                == [ResourceBudget.Tier.normal, .lowPower, .critical].map { ResourceBudget($0).cpuShare })
    }

    @Test func `the reasons are readable, and the first determines the mode`() {
        var update = onBattery(0.154)
        update.thermal = .critical
        update.network = .offline
        let reasons = decide(update, memory: 5.5).reasons.map(\.description)
        #expect(
            reasons == [
                "Thermal state critical: collect at most in minimal mode",
                "Battery at 15 %, not charging: collect at most in reduced mode",
                "Thermal state critical: budget for critical states",
                "No network: keep on the device",
            ])
    }

    @Test func `the SDK's own usage is a reason too`() {
        let decision = decide(cap: BudgetCap(mode: .reduced, resource: .cpu))
        #expect(decision.reasons.first?.description == "The SDK's own usage of CPU: collect at most in reduced mode")
    }

    @Test func `one percent of battery does not change the decision`() {
        let (fifteen, fourteen) = (decide(onBattery(0.15)), decide(onBattery(0.14)))
        #expect(fifteen != fourteen)
        #expect(fifteen.hasSameEffect(as: fourteen))
        #expect(!fifteen.hasSameEffect(as: decide(onBattery(0.5))))
    }

    private func isClose(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-12 }
}
