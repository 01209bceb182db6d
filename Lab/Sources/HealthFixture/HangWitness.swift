import Astrolabe
import AstrolabeRecording
import AstrolabeSemantics
import Dispatch

/// Knows when a hang has been recorded.
struct HangWitness: LogRecordProcessor {
    static let shared = HangWitness()

    private let recorded = DispatchSemaphore(value: 0)

    func onEmit(_ record: inout LogRecord) {
        if record.name == EventName.hang { recorded.signal() }
    }

    /// Returns when a hang has been recorded, or after a minute.
    func wait() { _ = recorded.wait(timeout: .now() + 60) }
}
