import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// A view controller, as its trace sees it.
package struct ControllerDescription: Equatable, Sendable {
    /// The name in telemetry.
    package var name: String
    /// `app.screen.id`; `nil` for the name.
    package var id: String?
    /// The role that the app gave it; `nil` to decide by its place.
    package var role: ViewRole?
    /// Attributes of the root span.
    package var attributes: Attributes
    /// True if the controller only arranges others, as a navigation controller does.
    package var isContainer: Bool
    /// True if a controller above it, up to the one that is presented, is no container.
    package var isInsideContent: Bool

    package init(
        name: String, id: String? = nil, role: ViewRole? = nil, attributes: Attributes = [:],
        isContainer: Bool = false, isInsideContent: Bool = false,
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.attributes = attributes
        self.isContainer = isContainer
        self.isInsideContent = isInsideContent
    }

    /// `nil` for a container, of which nothing is recorded.
    var identity: ViewIdentity? {
        guard !isContainer else { return nil }
        return ViewIdentity(
            name, id: id, role: role ?? (isInsideContent ? .part : .screen), framework: KnownValue.uiKitView)
    }
}

/// The trace of one view controller, from the calls that UIKit makes to it.
///
///     CartViewController                 from the loading of its view or its reappearance until it disappears
///     ├── CartViewController.body        the loading of its view
///     ├── CartViewController.onAppear
///     └── CartViewController.onDisappear
///
/// The tree is that of a SwiftUI view. A view is loaded once, so there is one `.body`. It appears at `viewDidAppear`,
/// so that an interactive pop that the user cancels records nothing, although the controller beneath was about to
/// appear.
///
/// The trace begins when loading ends, because the place of a controller among others is known then.
@MainActor
package final class ControllerTrace {
    private let tracer: ViewTracer
    private let describe: @MainActor () -> ControllerDescription
    private var loadingStart: UInt64?
    private var loadingEnd: UInt64?
    private var place = Place.unknown

    private enum Place {
        case unknown
        case traced(ViewTrace)
        case untraced
    }

    /// - Parameter describe: Called once, when loading has ended.
    package init(_ tracer: ViewTracer, describe: @escaping @MainActor () -> ControllerDescription) {
        self.tracer = tracer
        self.describe = describe
    }
}

// The calls, in UIKit's order. Each may come more than once, and all but the last two may be missing.
extension ControllerTrace {
    /// `loadView` or `viewDidLoad` begins: the first one counts.
    package func startsLoading() {
        if loadingStart == nil { loadingStart = tracer.hooks.now() }
    }

    /// The view is loaded: `viewWillAppear`, or the end of the main thread's turn in which it was loaded, whichever is
    /// first.
    package func endsLoading() {
        guard loadingEnd == nil else { return }
        let now = tracer.hooks.now()
        loadingEnd = now
        begin(at: now)
    }

    /// `viewDidAppear`.
    package func appeared() {
        endsLoading()
        if case .traced(let trace) = place { trace.appeared(ObjectIdentifier(self)) }
    }

    /// `viewDidDisappear`.
    package func disappeared() {
        if case .traced(let trace) = place { trace.disappeared(ObjectIdentifier(self)) }
    }

    private func begin(at now: UInt64) {
        guard case .unknown = place else { return }
        let description = describe()
        guard let identity = description.identity, tracer.records(identity.role) else {
            place = .untraced
            return
        }
        let start = loadingStart ?? now
        let trace = tracer.trace(identity, attributes: description.attributes, madeAt: start)
        if loadingStart != nil, tracer.mode == .full {
            trace.evaluated(description.attributes, from: start, to: now)
        }
        place = .traced(trace)
    }
}
