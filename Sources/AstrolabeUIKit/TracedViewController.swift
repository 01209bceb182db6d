#if canImport(UIKit) && !os(watchOS)
public import Astrolabe
import AstrolabeViewTracing
import Foundation
public import UIKit

/// A view controller whose life is recorded: the loading of its view, and its appearances and disappearances.
///
///     final class CartViewController: TracedViewController {
///         override var tracedName: String { "Cart" }
///     }
///
/// The spans are those of a SwiftUI view in `TracedView`. A controller that has another base class calls
/// ``UIKit/UIViewController/startTracing(_:id:as:attributes:tracer:)`` in `viewDidLoad`. Overrides of `viewDidLoad`,
/// `viewWillAppear`, `viewDidAppear` and `viewDidDisappear` must call `super`, as UIKit asks.
open class TracedViewController: UIViewController {
    /// Names the spans and, of a screen, every record while it is visible. Default the name of the class.
    ///
    /// It must be the same in every release, and contain no data.
    open var tracedName: String { String(describing: classForCoder) }

    /// The role of the view: a screen or a part of one. Default `nil`: a part if it is inside a controller that is no
    /// navigation, tab bar, split view or page view controller, otherwise a screen.
    open var tracedRole: ViewRole? { nil }

    /// Attributes of the root span, read once when the view is loaded. Default none.
    open var tracedAttributes: Attributes { [:] }

    private lazy var trace = ControllerTrace(Telemetry.shared.views) { [weak self] in
        guard let self else { return ControllerDescription(name: "", isContainer: true) }
        return self.controllerDescription(
            self.tracedName, id: nil, role: self.tracedRole, attributes: self.tracedAttributes)
    }

    open override func loadView() {
        trace.startsLoading()
        super.loadView()
    }

    open override func viewDidLoad() {
        trace.startsLoading()
        super.viewDidLoad()
        let trace = trace
        Task { @MainActor in trace.endsLoading() }
    }

    open override func viewWillAppear(_ animated: Bool) {
        trace.endsLoading()
        super.viewWillAppear(animated)
    }

    open override func viewDidAppear(_ animated: Bool) {
        trace.appeared()
        super.viewDidAppear(animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
        trace.disappeared()
        super.viewDidDisappear(animated)
    }
}
#endif
