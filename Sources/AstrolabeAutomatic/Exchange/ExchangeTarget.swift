/// The methods whose implementation may be exchanged. There is no way to name another one.
///
/// All belong to public classes that implement the method themselves, and that no class cluster hides.
enum ExchangeTarget: String, CaseIterable, Hashable, Sendable {
    case viewDidLoad
    case viewWillAppear = "viewWillAppear:"
    case viewDidAppear = "viewDidAppear:"
    case viewDidDisappear = "viewDidDisappear:"
    case sendAction = "sendAction:to:forEvent:"

    /// The only class whose own implementation is exchanged. Subclasses reach it by `super`.
    var className: String {
        switch self {
        case .viewDidLoad, .viewWillAppear, .viewDidAppear, .viewDidDisappear: "UIViewController"
        case .sendAction: "UIControl"
        }
    }

    var selectorName: String { rawValue }

    static let ofControllers: [ExchangeTarget] = [.viewDidLoad, .viewWillAppear, .viewDidAppear, .viewDidDisappear]
}
