/// The methods whose implementation may be exchanged. There is no way to name another one.
///
/// All belong to public classes that implement the method themselves, and that no class cluster hides.
enum ExchangeTarget: String, CaseIterable, Hashable, Sendable {
    case viewDidLoad
    case viewWillAppear = "viewWillAppear:"
    case viewDidAppear = "viewDidAppear:"
    case viewDidDisappear = "viewDidDisappear:"
    /// A control dispatches its targets by this one,
    case sendAction = "sendAction:to:forEvent:"
    /// and its `UIAction`s by this one.
    case sendUIAction = "sendAction:"

    /// The only class whose own implementation is exchanged. Subclasses reach it by `super`.
    var className: String {
        switch self {
        case .viewDidLoad, .viewWillAppear, .viewDidAppear, .viewDidDisappear: "UIViewController"
        case .sendAction, .sendUIAction: "UIControl"
        }
    }

    var selectorName: String { rawValue }

    static let ofControllers: [ExchangeTarget] = [.viewDidLoad, .viewWillAppear, .viewDidAppear, .viewDidDisappear]
    static let ofControls: [ExchangeTarget] = [.sendAction, .sendUIAction]

    /// True if a call may be the first that is recorded of a controller. The last may come from its `deinit`, where no
    /// weak reference to it can be made.
    var mayBeginTrace: Bool { self != .viewDidDisappear }
}
