import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import FleetSimulator

// The launch, and what interrupts a visit.
extension Visit {
    mutating func launch() {
        let isCold = chance.happens(0.7)
        let conditions = "astrolabe.conditions"
        event(EventName.appLaunched, scope: conditions)
        event(EventName.deviceAppLifecycle, scope: conditions, [AttributeKey.iosAppState: "active"])
        if chance.happens(0.08) { savePower() }
        // Version 2.2.0 also starts more slowly.
        let weight = phone.handset.slowness * (phone.release == .bad ? 1.3 : 1)
        let process = isCold ? chance.logNormal(median: 210 * weight, spread: 1.3) : 0
        let sdk = isCold ? chance.within(1.2...3) * weight : 0
        let frame = chance.logNormal(median: (isCold ? 120 : 70) * weight, spread: 1.3)
        let scope = "astrolabe.health"
        let start = begin(
            SpanName.appStart, scope: scope, under: nil, [AttributeKey.astrolabeStartType: isCold ? "cold" : "warm"],
        )
        for (name, length) in [
            (SpanName.appStartProcess, process), (SpanName.appStartSDK, sdk), (SpanName.appStartFirstFrame, frame),
        ] where length > 0 {
            let part = begin(name, scope: scope, under: start)
            now += nanoseconds(length)
            end(part, at: now)
        }
        end(start, at: now)
        show("Home", id: "home")
        think(1...4)
    }

    private func savePower() {
        event(
            EventName.policyChange, scope: "astrolabe.conditions",
            [
                AttributeKey.astrolabePolicyMode: "reduced", AttributeKey.astrolabePolicyPreviousMode: "normal",
                AttributeKey.astrolabePolicySamplingRate: 0.05,
                AttributeKey.astrolabePolicyReasons: AttributeValue.array(["Low Power Mode is on"]),
            ],
        )
    }

    /// The phone has no network for a while. A refresh fails; the records of that time wait on the phone.
    mutating func loseNetwork() {
        let before = network
        network.type = "unavailable"
        network.subtype = nil
        announceNetwork()
        refresh()
        think(15...90)
        network = before
        announceNetwork()
        refresh()
    }

    private mutating func announceNetwork() {
        setNetwork()
        event(
            EventName.networkChange, scope: "astrolabe.conditions",
            [AttributeKey.networkConnectionType: network.type])
    }

    /// The main thread computes for a while; the SDK samples it.
    mutating func hang() {
        let length = chance.logNormal(median: 0.9, spread: 1.8)
        let interval = max(0.05, length / 20)
        let samples = (0..<min(20, Int(length / interval))).map { index -> AttributeValue in
            .map([
                "time": Double(index) * interval,
                "frames": CrashStack.frames(
                    app: index % 5 == 4 ? [0x3_1c40, 0x2_0a18] : [0x4_4d2c, 0x3_1c40, 0x2_0a18]),
            ])
        }
        event(
            EventName.hang, scope: "astrolabe.health", severity: length > 2 ? .error : .warn,
            [
                AttributeKey.astrolabeHangID: recorder.phone.ids.nextUUID(),
                AttributeKey.astrolabeHangDuration: length,
                AttributeKey.astrolabeHangProcessorTime: length * 0.94,
                AttributeKey.astrolabeHangSeverity: length > 2 ? "severe" : "hang",
                AttributeKey.astrolabeHangHasEnded: true, AttributeKey.astrolabeHangThreshold: 0.25,
                AttributeKey.astrolabeHangSampleInterval: interval,
                AttributeKey.astrolabeHangSamples: AttributeValue.array(samples),
                AttributeKey.appBuildID: phone.release.buildID,
                AttributeKey.astrolabeImages: CrashStack.images(phone.release),
            ],
        )
        now += nanoseconds(length * 1_000)
    }

    mutating func crash() {
        think(0.5...2)
        let isOutOfMemory = phone.handset.memory < 4
        let message =
            isOutOfMemory
            ? "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
            : "Fatal error: Index out of range"
        let stack: [Int64] = isOutOfMemory ? [0x5_1f94, 0x4_88d0, 0x2_0a18] : [0x2_7be4, 0x2_0a18]
        event(
            EventName.appCrash, scope: "astrolabe.health", severity: .fatal,
            [
                AttributeKey.appCrashID: recorder.phone.ids.nextUUID(),
                AttributeKey.exceptionType: "SIGTRAP", AttributeKey.exceptionMessage: message,
                AttributeKey.astrolabeCrashSignal: "SIGTRAP", AttributeKey.astrolabeCrashCodeName: "TRAP_BRKPT",
                AttributeKey.iosAppState: "active", AttributeKey.serviceVersion: phone.release.rawValue,
                AttributeKey.appBuildID: phone.release.buildID,
                AttributeKey.astrolabeAppBuildNumber: phone.release.buildNumber,
                AttributeKey.osName: "iOS", AttributeKey.osVersion: phone.system,
                AttributeKey.astrolabeCrashMemoryUsed: AttributeValue(chance.count(180...420) << 20),
                AttributeKey.astrolabeImages: CrashStack.images(phone.release),
                AttributeKey.astrolabeCrashThreads: AttributeValue.array([
                    .map([
                        "id": 259, "name": "main", "is_crashed": true, "is_main": true,
                        "frames": CrashStack.frames(app: stack),
                    ])
                ]),
            ],
        )
        closeScreen()
    }
}

/// Stacks of an app that was never built: their addresses are in the images that they name, and have no symbols.
private enum CrashStack {
    static func images(_ release: AppRelease) -> AttributeValue {
        .array([
            .map(["name": "AstronomyShop", "build_id": release.buildID, "is_app": true]),
            .map(["name": "libswiftCore.dylib", "build_id": "4d1a7c33f0be3d6f9c2eb10a75c6d2f8"]),
            .map(["name": "UIKitCore", "build_id": "9f6be26d7d0c38f6a3a2c05e1bb44a90"]),
        ])
    }

    /// A stack of the main thread.
    ///
    /// - Parameter app: Offsets in the app's image, innermost first.
    static func frames(app: [Int64]) -> AttributeValue {
        let own = app.map { AttributeValue.map(["image": 0, "offset": $0]) }
        return .array(
            [.map(["image": 1, "offset": 0x3_9a04])] + own + [.map(["image": 2, "offset": 0x41_20c8])])
    }
}
