/// Determines what is recorded for one view from its events.
///
///     made --> waiting --> visible --> away --> waiting --> ...
///                 |            |
///                 |            +-- the app enters the background: the root ends, another begins on return
///                 +-- not visible in time, released, background: the root ends with the last body
///
/// A root is open only while the view is waiting or visible and the app is in the foreground. Times are nanoseconds
/// since 1970.
struct ViewLife: Equatable {
    /// A step to record, in order.
    enum Step: Equatable {
        case openRoot(at: UInt64)
        case body(evaluation: Int, from: UInt64, to: UInt64)
        case appear(count: Int, at: UInt64)
        case disappear(count: Int, at: UInt64)
        case closeRoot(at: UInt64)
        /// Steps of the compact mode.
        case firstAppearance(from: UInt64, to: UInt64)
        case appearance(at: UInt64)
    }

    /// Maximum bodies recorded per root. Beyond it only bodies that take a frame or longer are recorded, so that a
    /// constantly evaluated view does not fill the journal. `view.body.evaluation` keeps counting.
    static let bodyLimit = 64
    /// Nanoseconds of a frame at 60 Hz.
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
    /// The visible parts of the view: SwiftUI reports the appearance of each part of a group and each branch of an
    /// `if`.
    private var visible: Set<ObjectIdentifier> = []

    init(isCompact: Bool, at time: UInt64, isSuspended: Bool) {
        self.isCompact = isCompact
        self.isSuspended = isSuspended
        madeAt = time
        lastActivity = time
    }

    var isVisible: Bool { !visible.isEmpty }

    /// True if a root is open although the view is not visible.
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

    /// Handles the release of a part that did not report its disappearance.
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

    /// Ends the root of an invisible view that has not been evaluated since `deadline`.
    mutating func expired(before deadline: UInt64) -> [Step] {
        isWaiting && lastActivity <= deadline ? closed(at: lastActivity) : []
    }

    mutating func ended(at time: UInt64) -> [Step] {
        closed(at: isVisible ? time : lastActivity)
    }

    /// Starts again as a view that is made now, with the parts that are visible.
    mutating func restarted(at time: UInt64, isSuspended: Bool) -> [Step] {
        let visible = visible
        self = ViewLife(isCompact: isCompact, at: time, isSuspended: isSuspended)
        self.visible = visible
        return isVisible && !isSuspended && !isCompact ? opened(at: time) : []
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
