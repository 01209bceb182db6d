import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport

@testable import AstrolabeSessionReplay

/// A recorder with its records in memory, whose frames and time a test controls.
@MainActor
final class DrivenReplay {
    let sink = MemorySink()
    let source = DrivenSource()
    let ticks = Ticks()
    let core: RecordingCore
    let recorder: ReplayRecorder
    private let time = Locked<UInt64>(1_000_000_000_000)

    init(
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()),
        _ change: (inout ReplayConfiguration) -> Void = { _ in },
    ) {
        core = RecordingCore(sink: sink, clock: TelemetryClock { [time] in time.withLock { $0 } }, sampler: sampler)
        var configuration = ReplayConfiguration()
        configuration.isEnabled = true
        change(&configuration)
        recorder = ReplayRecorder(
            core: core, configuration: configuration, countedBy: CPUTimeMeter(), sleep: ticks.sleep)
        begin(session: "00112233-4455-6677-8899-aabbccddeeff")
    }

    func begin(session: String) { core.ambient.set(AttributeKey.sessionID, to: .string(session)) }

    /// Starts recording and waits for the first frame.
    func start(frameRate: Double = 2) async {
        recorder.attach(source)
        recorder.apply(frameRate: frameRate, frameLimit: 240)
        await ticks.settle()
    }

    func advance(seconds: Double) { time.withLock { $0 += UInt64(seconds * 1e9) } }

    /// Shows a different text and waits for the next frame.
    func show(_ text: String) async {
        source.show(text)
        await ticks.tick()
    }

    /// Waits until no frame is held.
    func waitForRelease() async throws {
        try await eventually("the recorder holds no frame") { await !recorder.isHolding }
    }

    var events: [LogRecordData] { get throws { try sink.events } }
}

extension LogRecordData {
    var isKeyFrame: Bool { attributes[AttributeKey.astrolabeReplayIsKeyFrame]?.boolValue == true }
}

/// Shows a text among others.
@MainActor
final class DrivenSource: ReplaySource {
    private(set) var revision: Int? = 1
    private(set) var reads = 0
    private var text = "first"
    var isEmpty = false

    func show(_ text: String) {
        self.text = text
        revision = revision.map { $0 + 1 }
    }

    /// Stops reporting revisions.
    func hideRevision() { revision = nil }

    func wireframe() -> Wireframe? {
        reads += 1
        if isEmpty { return nil }
        let others = (3...12).map { Wireframe.Node(id: $0, role: .text, text: "another") }
        return Wireframe(
            width: 393, height: 852,
            root: .init(id: 1, role: .screen, children: [.init(id: 2, role: .text, text: text)] + others),
        )
    }
}

/// A clock whose sleepers wake only on request.
actor Ticks {
    private var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    private var lastNumber = 0
    /// The durations of all sleeps.
    private(set) var durations: [Duration] = []

    nonisolated var sleep: ReplayRecorder.Sleep {
        { duration in try await self.wait(for: duration) }
    }

    private func wait(for duration: Duration) async throws {
        lastNumber += 1
        let number = lastNumber
        durations.append(duration)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                sleepers[number] = continuation
                for waiter in waiting { waiter.resume() }
                waiting = []
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
    }

    private func cancel(_ number: Int) {
        sleepers.removeValue(forKey: number)?.resume(throwing: CancellationError())
        guard sleepers.isEmpty else { return }
        for waiter in waitingForEnd { waiter.resume() }
        waitingForEnd = []
    }

    /// Waits until the recorder sleeps, so that the current frame has been processed.
    func settle() async {
        while sleepers.isEmpty { await withCheckedContinuation { waiting.append($0) } }
    }

    /// Wakes the sleeper and waits until it sleeps again.
    func tick() async {
        await settle()
        let all = sleepers
        sleepers = [:]
        for sleeper in all.values { sleeper.resume() }
        await settle()
    }

    /// Waits until the sleep of a recorder that ends is cancelled.
    func waitForEnd() async {
        if !sleepers.isEmpty { await withCheckedContinuation { waitingForEnd.append($0) } }
    }
}
