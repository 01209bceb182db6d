/// The implementations that were exchanged in this process, and those of them that record now.
///
///     untouched --> exchanged and recording <--> exchanged and passing on
///         |
///         +--> refused
///
/// An implementation is exchanged at most once and never put back. Another library may have exchanged it after us, and
/// putting back the one before would take that library's work away. Instead, ours only calls the one before.
struct ExchangeBook: Equatable {
    private(set) var exchanged: Set<ExchangeTarget> = []
    /// Not there as expected. Another attempt would find the same.
    private(set) var refused: Set<ExchangeTarget> = []
    private var recording: Set<ExchangeTarget> = []

    /// Starts to record `targets` and nothing else; returns those that are to be exchanged first.
    mutating func start(_ targets: [ExchangeTarget]) -> [ExchangeTarget] {
        recording = Set(targets).subtracting(refused)
        return targets.filter { recording.contains($0) && !exchanged.contains($0) }
    }

    mutating func note(_ target: ExchangeTarget, isExchanged: Bool) {
        if isExchanged {
            exchanged.insert(target)
        } else {
            refused.insert(target)
            recording.remove(target)
        }
    }

    /// Stops recording. What was exchanged passes calls on from now on.
    mutating func stop() { recording = [] }

    func records(_ target: ExchangeTarget) -> Bool { recording.contains(target) }

    var isRecording: Bool { !recording.isEmpty }
}
