import AstrolabePlatform
package import AstrolabeRecording
package import AstrolabeTelemetryModel
package import Foundation

/// A span together with what another API lets one read back; the record itself holds bytes alone.
package final class MirroredSpan: Sendable {
    package let span: Tracer.Span
    package let kind: SpanKind
    private let state: Locked<State>
    private let time: ForeignTime
    private let isRecorded: Bool

    private struct State {
        var name: String
        var status = SpanStatus.unset
    }

    package init(_ span: Tracer.Span, name: String, kind: SpanKind, time: ForeignTime) {
        self.span = span
        self.kind = kind
        self.time = time
        isRecorded = span.isRecording
        state = Locked(State(name: name))
    }

    /// True if the record is complete, so that nothing changes any more.
    private var hasEnded: Bool { isRecorded && !span.isRecording }

    /// The name that was set last, before the end.
    package var name: String {
        get { state.withLock { $0.name } }
        set {
            guard !hasEnded else { return }
            state.withLock { $0.name = newValue }
            span.updateName(newValue)
        }
    }

    /// The status: `ok` is final, an error replaces an earlier one, and `unset` changes nothing.
    package var status: SpanStatus {
        get { state.withLock { $0.status } }
        set {
            guard !hasEnded else { return }
            state.withLock { state in
                if state.status != .ok, newValue != .unset { state.status = newValue }
            }
            span.setStatus(newValue)
        }
    }

    package func addEvent(_ name: String, attributes: Attributes, at date: Date?) {
        guard span.isRecording else { return }
        span.addEvent(name, attributes: attributes, timeUnixNano: date.map(time.nanoseconds))
    }

    /// Records an error, with the breadcrumbs of the moment.
    package func recordException(_ error: any Error, attributes: Attributes, at date: Date?) {
        span.recordException(error, attributes: attributes, timeUnixNano: date.map(time.nanoseconds))
    }

    /// Records an exception that another API describes.
    package func recordException(
        type: String, message: String?, stack: [String]?, attributes: Attributes, at date: Date?,
    ) {
        var all: Attributes = ["exception.type": type]
        all.setAttribute("exception.message", message)
        all.setAttribute("exception.stacktrace", stack?.joined(separator: "\n"))
        addEvent("exception", attributes: all.merging(attributes), at: date)
    }

    /// Ends the span, and what made it the current one by hand.
    ///
    /// - Parameter object: The other API's object for the span.
    package func end(at date: Date?, object: AnyObject) {
        span.end(timeUnixNano: date.map(time.nanoseconds))
        ContextStore.remove(object)
    }
}
