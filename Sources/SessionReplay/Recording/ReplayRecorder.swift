package import Astrolabe
package import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// Records the screen as wireframes at the frame rate of the policy. `Docs/Internals/ReplayEvents.md` defines what is
/// recorded.
///
///     main actor:    read ─ (nothing changed) ─ wait      read ──┐
///     elsewhere:                                                 └─ mask, compare, record ─ wait
///
/// The next frame is read only after the previous one has been recorded. So at most one frame is in memory in addition
/// to the one it is compared with.
package final class ReplayRecorder: Sendable {
    /// Sleeps for a duration; throws if the task is cancelled.
    package typealias Sleep = @Sendable (Duration) async throws -> Void

    private let core: RecordingCore?
    private let writer: ReplayWriter?
    private let processor: CPUTimeMeter
    private let sleep: Sleep
    private let state = Locked(State())
    @MainActor private var source: (any ReplaySource)?
    @MainActor private var lastRead: LastRead?

    private struct State {
        /// Time between two frames; `nil` if none are recorded.
        var interval: Duration?
        var hasSource = false
        var isStopped = false
        /// Incremented whenever recording starts.
        var period = 0
        var recordingTask: Task<Void, Never>?
    }

    private struct LastRead {
        var period: Int
        var session: String?
        var revision: Int?
    }

    /// A recorder that records nothing and costs nothing.
    package static let disabled = ReplayRecorder(
        core: nil, configuration: ReplayConfiguration(), countedBy: CPUTimeMeter())

    package init(
        core: RecordingCore?, configuration: ReplayConfiguration, countedBy processor: CPUTimeMeter,
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
    ) {
        let core = configuration.isEnabled ? core : nil
        self.core = core
        writer = core.map { ReplayWriter(core: $0, configuration: configuration, countedBy: processor) }
        self.processor = processor
        self.sleep = sleep
    }

    deinit {
        state.withLock { $0.recordingTask?.cancel() }
    }

    /// The scope of the replay's events.
    package static let scope = InstrumentationScope.ofSDK("astrolabe.replay")

    /// True if the configuration enables the replay.
    package var isEnabled: Bool { core != nil }

    /// Reads the screen from this source from now on, replaces any other, and retains it until `detach`.
    @MainActor
    package func attach(_ source: any ReplaySource) {
        guard isEnabled else { return }
        self.source = source
        change { state in
            state.hasSource = true
            // Frames of different sources must not be compared.
            state.period += 1
        }
    }

    /// Stops recording until another source is attached.
    @MainActor
    package func detach() {
        source = nil
        change { $0.hasSource = false }
    }

    /// True if there is a source.
    package var hasSource: Bool { state.withLock { $0.hasSource } }

    /// True if a frame is held for comparison with the next one.
    var isHolding: Bool { get async { await writer?.isHolding ?? false } }

    /// Applies the limits of a policy decision.
    ///
    /// - Parameters:
    ///   - frameRate: Frames per second; 0 stops recording and releases the held frame.
    ///   - frameLimit: Maximum frames per minute; 0 does the same.
    package func apply(frameRate: Double, frameLimit: Int) {
        let interval = Self.interval(frameRate: frameRate, frameLimit: frameLimit)
        change { $0.interval = interval }
    }

    static func interval(frameRate: Double, frameLimit: Int) -> Duration? {
        let rate = min(frameRate, Double(frameLimit) / 60)
        return rate > 0 ? .seconds(1 / rate) : nil
    }

    /// Stops recording permanently.
    package func stop() {
        change { $0.isStopped = true }
        Task { @MainActor in source = nil }
    }

    /// Changes the state, and starts or ends a recording period accordingly.
    private func change(_ change: (inout State) -> Void) {
        guard isEnabled else { return }
        let isPaused = state.withLock { state in
            let period = state.period
            change(&state)
            let shouldRecord = state.interval != nil && state.hasSource && !state.isStopped
            if shouldRecord, state.recordingTask != nil, state.period == period { return false }
            let wasRecording = state.recordingTask != nil
            state.recordingTask?.cancel()
            state.recordingTask = nil
            guard shouldRecord else { return wasRecording }
            state.period = period + 1
            let current = state.period
            state.recordingTask = Task.detached(priority: .utility) { [weak self, sleep] in
                while let interval = await self?.recordFrame(in: current) {
                    do { try await sleep(interval) } catch { return }
                }
            }
            return false
        }
        if isPaused { release() }
    }

    /// Releases the held frame.
    private func release() {
        if let writer { Task(priority: .utility) { await writer.release() } }
    }

    /// Reads and records one frame; returns the time to wait for the next.
    private func recordFrame(in period: Int) async -> Duration? {
        if let frame = await read(in: period) { await writer?.write(frame) }
        let interval = interval(in: period)
        // Recording may have been paused while the frame was being recorded.
        if interval == nil { await writer?.release() }
        return interval
    }

    private func interval(in period: Int) -> Duration? {
        state.withLock { state in state.period == period && state.recordingTask != nil ? state.interval : nil }
    }

    /// Reads the current frame; `nil` if there is nothing to record.
    @MainActor
    private func read(in period: Int) -> RecordedFrame? {
        guard let core, let source, interval(in: period) != nil else { return nil }
        let ambient = core.ambient.snapshot.attributes
        let session = ambient[AttributeKey.sessionID]?.stringValue
        guard core.samples(session: session ?? "") else {
            if lastRead != nil { release() }
            lastRead = nil
            return nil
        }
        let isFirst = lastRead?.period != period || lastRead?.session != session
        let revision = source.revision
        if !isFirst, let revision, revision == lastRead?.revision { return nil }
        return processor.measure {
            guard let wireframe = source.wireframe() else { return nil }
            lastRead = LastRead(period: period, session: session, revision: revision)
            return RecordedFrame(
                wireframe: wireframe, ambient: ambient, timeUnixNano: core.clock.now, isFirst: isFirst)
        }
    }
}
