#if canImport(ObjectiveC)
import CAstrolabeCrashCapture
import Foundation

/// Notes an uncaught Objective-C exception in the run's file before the handler that was there, and then the signal.
enum UncaughtExceptions {
    private struct Handler: @unchecked Sendable {  // a C function, which any thread may call
        let call: (@convention(c) (NSException) -> Void)?
    }

    private static let previous = install()

    /// Captures exceptions from the first call on.
    static func capture() { _ = previous }

    private static func install() -> Handler {
        let previous = Handler(call: NSGetUncaughtExceptionHandler())
        NSSetUncaughtExceptionHandler { exception in
            let frames = exception.callStackReturnAddresses.map(\.uint64Value)
            astrolabe_note_exception(
                exception.name.rawValue, exception.reason ?? "", frames, UInt32(clamping: frames.count))
            UncaughtExceptions.previous.call?(exception)
        }
        return previous
    }
}
#endif
