#if canImport(UIKit) && !os(watchOS)
public import Astrolabe
import AstrolabeViewTracing
public import UIKit

extension UIViewController {
    /// Records the life of this controller from now on: see ``TracedViewController``, which needs no call.
    ///
    ///     override func viewDidLoad() {
    ///         super.viewDidLoad()
    ///         startTracing("Cart")
    ///     }
    ///
    /// It adds an invisible child controller, which UIKit tells about appearances. Call it first in `viewDidLoad`. A
    /// second call, a call before the view is loaded, and a call to a container such as a navigation controller do
    /// nothing. Controllers that do not forward appearances to their children are not recorded.
    ///
    /// - Parameters:
    ///   - name: Names the spans and, of a screen, every record while it is visible. Default the name of the class.
    ///   - id: `app.screen.id`. Default the name.
    ///   - role: Default a part if it is inside a controller that is no container of UIKit's, otherwise a screen.
    ///   - attributes: Added to the root span.
    ///   - tracer: Default the shared telemetry's.
    public func startTracing(
        _ name: String? = nil, id: String? = nil, as role: ViewRole? = nil, attributes: Attributes = [:],
        tracer: ViewTracer = Telemetry.shared.views,
    ) {
        guard tracer.isEnabled, isViewLoaded, !arrangesOthers, !isTracedByHand else { return }
        let trace = ControllerTrace(tracer) { [weak self] in
            guard let self else { return ControllerDescription(name: "", isContainer: true) }
            return self.controllerDescription(name, id: id, role: role, attributes: attributes)
        }
        trace.startsLoading()
        let observer = TraceObserver(trace)
        addChild(observer)
        view.addSubview(observer.view)
        observer.didMove(toParent: self)
        Task { @MainActor in trace.endsLoading() }
    }

    /// True if code of the app records this controller, or the controller belongs to the tracing itself.
    package var isTracedByHand: Bool {
        self is TracedViewController || self is TraceObserver || children.contains { $0 is TraceObserver }
    }
}

/// An invisible child that passes on what UIKit says of its parent's appearances.
private final class TraceObserver: UIViewController {
    private let trace: ControllerTrace

    init(_ trace: ControllerTrace) {
        self.trace = trace
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        return nil
    }

    override func loadView() {
        let view = UIView(frame: .zero)
        view.isHidden = true
        view.isUserInteractionEnabled = false
        view.accessibilityElementsHidden = true
        self.view = view
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        trace.endsLoading()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        trace.appeared()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        trace.disappeared()
    }
}
#endif
