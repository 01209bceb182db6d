import AstrolabeDeviceConditions

/// The codes of lifecycle states in a run's file. Do not change them: newer versions read files of older ones.
enum LifecycleCode: UInt64, Sendable {
    case launching = 0
    case active = 1
    case inactive = 2
    case background = 3
    case suspended = 4
    case terminated = 5

    init(_ state: LifecycleState) {
        self =
            switch state {
            case .launching: .launching
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            case .suspended: .suspended
            case .terminated: .terminated
            }
    }

    /// The value of `ios.app.state`; `nil` if it is not known.
    var appState: String? {
        switch self {
        case .launching: nil
        case .active: "active"
        case .inactive: "inactive"
        case .background, .suspended: "background"
        case .terminated: "terminate"
        }
    }

    /// True if the app is invisible, so that a slow main thread has no effect for the user.
    var isOutOfSight: Bool { isInBackground || self == .terminated }
    var isInBackground: Bool { self == .background || self == .suspended }
}
