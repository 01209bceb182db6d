import Astrolabe
import AstrolabeViewTracing

/// Exchanges implementations, and decides of each call that arrives whether it is recorded.
@MainActor
final class AutomaticTracing {
    private var book = ExchangeBook()
    private var calls = ActiveCalls()
    private var taps = TapFilter()
    private(set) var filter = ControllerFilter(AutomaticOptions())
    private(set) var controlFilter = ControlFilter(AutomaticOptions())
    private(set) var views: ViewTracer?

    init() {}

    /// Starts to record with `views`, instead of what was recorded before.
    ///
    /// - Parameter exchange: Exchanges one implementation; returns whether it could.
    /// - Returns: Whether anything is recorded.
    func start(_ views: ViewTracer, _ options: AutomaticOptions, exchange: (ExchangeTarget) -> Bool) -> Bool {
        let targets = views.isEnabled ? options.targets : []
        filter = ControllerFilter(options)
        controlFilter = ControlFilter(options)
        for target in book.start(targets) { book.note(target, isExchanged: exchange(target)) }
        self.views = book.isRecording ? views : nil
        return book.isRecording
    }

    func stop() {
        book.stop()
        views = nil
    }

    var isRecording: Bool { book.isRecording }

    /// An exchanged implementation was called. Each call is paired with one of `leave`, around the original.
    ///
    /// - Returns: Whether the call is to be recorded.
    func enter(_ target: ExchangeTarget, _ object: ObjectIdentifier) -> Bool {
        calls.enter(target, object) && book.records(target)
    }

    func leave(_ target: ExchangeTarget, _ object: ObjectIdentifier) {
        calls.leave(target, object)
    }

    func isTap(_ control: ObjectIdentifier, isEndOfTouch: Bool, time: Double?) -> Bool {
        guard taps.isTap(control, isEndOfTouch: isEndOfTouch, time: time) else { return false }
        Task { taps.endTurn() }
        return true
    }
}
