import AstrolabePlatform
import Atomics

/// Reports what happens to records against the app's expectation, each kind once for a running SDK.
package final class RecordingNotices: Sendable {
    /// The kind of a notice, which gets a diagnostic line.
    package enum Kind: UInt64, Sendable {
        case tooManyAmbientAttributes = 1
        case tooLargeAmbientAttributes = 2
        case largeSpan = 4
        case largeEvent = 8
        case sampledOut = 16
        case notAdmitted = 32
        case unusableView = 64
        case conflictingMetrics = 128
        case tooManyInstruments = 512
        case unusableHosts = 1_024
    }

    private let reported = UnsafeAtomic<UInt64>.create(0)
    private let onDiagnostic: @Sendable (String) -> Void

    package init(_ onDiagnostic: @escaping @Sendable (String) -> Void = { _ in }) {
        self.onDiagnostic = onDiagnostic
    }

    deinit {
        reported.destroy()
    }

    /// Reports that a session that begins, or goes on at a lower rate, is not recorded.
    package func reportSampledOut() {
        report(.sampledOut) {
            "This session is sampled out: its events and metrics are sent, and its spans if something goes wrong. Set "
                + "sampling to .everything to send all sessions."
        }
    }

    /// Reports a line the first time that its kind occurs.
    package func report(_ kind: Kind, _ line: () -> String) {
        guard reported.load(ordering: .relaxed) & kind.rawValue == 0 else { return }
        let before = reported.loadThenBitwiseOr(with: kind.rawValue, ordering: .relaxed)
        guard before & kind.rawValue == 0 else { return }
        LockRule.checkCall("calling onDiagnostic")
        onDiagnostic(line())
    }
}
