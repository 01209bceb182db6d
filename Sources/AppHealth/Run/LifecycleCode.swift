import AstrolabeDeviceConditions

/// The states of an app's life as a run's file holds them: numbers that later versions must read as these.
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

    /// The value of `ios.app.state`; nil where nobody has told.
    var appState: String? {
        switch self {
        case .launching: nil
        case .active: "active"
        case .inactive: "inactive"
        case .background, .suspended: "background"
        case .terminated: "terminate"
        }
    }

    /// Nobody waits for the main thread there.
    var isOutOfSight: Bool { isInBackground || self == .terminated }
    var isInBackground: Bool { self == .background || self == .suspended }
}
