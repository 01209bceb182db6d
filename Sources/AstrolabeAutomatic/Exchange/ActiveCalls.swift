/// The calls that are under way, so that one that comes back to us is reported once.
///
/// An implementation of ours runs inside itself if another library has exchanged the method too, such that its
/// implementation sends the same message to the object again.
struct ActiveCalls {
    private struct Call: Hashable {
        var target: ExchangeTarget
        var object: ObjectIdentifier
    }

    private var depths: [Call: Int] = [:]

    /// Returns whether this call is the outermost one for the object, which is reported.
    mutating func enter(_ target: ExchangeTarget, _ object: ObjectIdentifier) -> Bool {
        let call = Call(target: target, object: object)
        let depth = depths[call, default: 0]
        depths[call] = depth + 1
        return depth == 0
    }

    mutating func leave(_ target: ExchangeTarget, _ object: ObjectIdentifier) {
        let call = Call(target: target, object: object)
        guard let depth = depths[call] else { return }
        depths[call] = depth > 1 ? depth - 1 : nil
    }

    var isEmpty: Bool { depths.isEmpty }
}
