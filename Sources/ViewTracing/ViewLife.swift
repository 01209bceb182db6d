/// What is to be recorded of one view, decided from what happens to it.
///
///     made --> waiting --> visible --> away --> waiting --> ...
///                 |            |
///                 |            +-- the app goes to the background: the root ends, another begins on return
///                 +-- not seen for long, gone, background: the root ends where the last body ended
///
/// A root is open while the view is waiting or visible in an app that is in the foreground, and no longer. Times are
/// nanoseconds since 1970.
struct ViewLife: Equatable {
    /// One thing to record, in the order in which it is given.
    enum Step: Equatable {
        case openRoot(at: UInt64)
        case body(evaluation: Int, from: UInt64, to: UInt64)
        case appear(count: Int, at: UInt64)
        case disappear(count: Int, at: UInt64)
        case closeRoot(at: UInt64)
        /// The compact form.
        case firstAppearance(from: UInt64, to: UInt64)
        case appearance(at: UInt64)
    }

    /// Bodies of one root that are recorded however short they are. Beyond it those alone that cost a frame are, so
    /// that a view that is evaluated all the time does not fill the journal; `view.body.evaluation` counts on.
    static let bodyLimit = 64
    /// Nanoseconds that a frame lasts at 60 a second.
    static let frame: UInt64 = 16_666_667

    private let isCompact: Bool
    private let madeAt: UInt64
    private var evaluations = 0
    private var evaluationsOfRoot = 0
    private var appearances = 0
    private var disappearances = 0
    private var isOpen = false
    private var isSuspended: Bool
    private var lastActivity: UInt64
    /// What is seen of the view: SwiftUI hands appearances to each part of a group, and to each branch of an `if`.
    private var visible: Set<ObjectIdentifier> = []

    init(isCompact: Bool, at time: UInt64, isSuspended: Bool) {
        self.isCompact = isCompact
        self.isSuspended = isSuspended
        madeAt = time
        lastActivity = time
    }

    var isVisible: Bool { !visible.isEmpty }

    /// Whether a root is open that nobody sees the view of.
    var isWaiting: Bool { isOpen && !isVisible }
}

extension ViewLife {
    mutating func evaluated(from start: UInt64, to end: UInt64) -> [Step] {
        guard !isCompact else { return [] }
        var steps = opened(at: evaluations == 0 ? min(madeAt, start) : start)
        evaluations += 1
        evaluationsOfRoot += 1
        if evaluationsOfRoot <= Self.bodyLimit || end >= start + Self.frame {
            steps.append(.body(evaluation: evaluations, from: start, to: end))
        }
        lastActivity = end
        if isSuspended { steps += closed(at: end) }
        return steps
    }

    mutating func appeared(_ part: ObjectIdentifier, at time: UInt64) -> [Step] {
        let wasVisible = isVisible
        visible.insert(part)
        guard !wasVisible else { return [] }
        appearances += 1
        guard !isCompact else {
            return (appearances == 1 ? [.firstAppearance(from: madeAt, to: time)] : []) + [.appearance(at: time)]
        }
        let steps = opened(at: time) + [.appear(count: appearances, at: time)]
        return isSuspended ? steps + closed(at: time) : steps
    }

    mutating func disappeared(_ part: ObjectIdentifier, at time: UInt64) -> [Step] {
        guard visible.remove(part) != nil, !isVisible else { return [] }
        disappearances += 1
        guard !isCompact else { return [] }
        return opened(at: time) + [.disappear(count: disappearances, at: time)] + closed(at: time)
    }

    /// A part of the view is gone, and was not told to have disappeared.
    mutating func lost(_ part: ObjectIdentifier, at time: UInt64) -> [Step] {
        guard visible.remove(part) != nil, !isVisible else { return [] }
        return closed(at: time)
    }

    mutating func suspended(at time: UInt64) -> [Step] {
        isSuspended = true
        return closed(at: isVisible ? time : lastActivity)
    }

    mutating func resumed(at time: UInt64) -> [Step] {
        guard isSuspended else { return [] }
        isSuspended = false
        return isVisible && !isCompact ? opened(at: time) : []
    }

    /// Gives up the wait for a view that has not been evaluated since `deadline`.
    mutating func expired(before deadline: UInt64) -> [Step] {
        isWaiting && lastActivity <= deadline ? closed(at: lastActivity) : []
    }

    mutating func ended(at time: UInt64) -> [Step] {
        closed(at: isVisible ? time : lastActivity)
    }

    private mutating func opened(at time: UInt64) -> [Step] {
        guard !isOpen else { return [] }
        isOpen = true
        evaluationsOfRoot = 0
        lastActivity = max(lastActivity, time)
        return [.openRoot(at: time)]
    }

    private mutating func closed(at time: UInt64) -> [Step] {
        guard isOpen else { return [] }
        isOpen = false
        return [.closeRoot(at: time)]
    }
}
