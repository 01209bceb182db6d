#if canImport(ObjectiveC) && canImport(UIKit) && !os(watchOS)
import Astrolabe
import AstrolabeUIKit
import AstrolabeViewTracing
import Foundation
import ObjectiveC
import UIKit

/// Reports of exchanged implementations, before and after the implementation that they call.
///
/// UIKit sends these messages on the main thread. If an app sends one on another thread, it is not recorded.
enum ExchangedCalls {
    static func enter(_ target: ExchangeTarget, _ controller: UIViewController) {
        guard Thread.isMainThread else { return }
        MainActor.assumeIsolated {
            let tracing = AutomaticInstrumentation.tracing
            guard tracing.enter(target, ObjectIdentifier(controller)), let views = tracing.views,
                let trace = ControllerTraces.trace(of: controller, views, tracing.filter, at: target)
            else { return }
            switch target {
            case .viewDidLoad:
                trace.startsLoading()
                Task { @MainActor in trace.endsLoading() }
            case .viewWillAppear: trace.endsLoading()
            case .viewDidAppear: trace.appeared()
            case .viewDidDisappear: trace.disappeared()
            case .sendAction, .sendUIAction: break
            }
        }
    }

    static func enterAction(_ control: UIControl, _ event: UIEvent?) {
        guard Thread.isMainThread else { return }
        MainActor.assumeIsolated {
            let touches: Set<UITouch> = event?.type == .touches ? event?.allTouches ?? [] : []
            let isEndOfTouch = touches.contains { $0.phase == .ended }
            enter(.sendAction, control, isEndOfTouch: isEndOfTouch, time: event?.timestamp ?? 0)
        }
    }

    /// A `UIAction` comes without an event, so the events that it was added for tell whether it is that of a tap.
    static func enterAction(_ control: UIControl, _ action: UIAction) {
        guard Thread.isMainThread else { return }
        MainActor.assumeIsolated {
            var events: UIControl.Event = []
            control.enumerateEventHandlers { handler, _, event, _ in
                if handler?.identifier == action.identifier { events.formUnion(event) }
            }
            let isEndOfTouch = TapFilter.isEndOfTouch(events: events.rawValue, isTracking: control.isTracking)
            enter(.sendUIAction, control, isEndOfTouch: isEndOfTouch, time: nil)
        }
    }

    @MainActor
    private static func enter(_ target: ExchangeTarget, _ control: UIControl, isEndOfTouch: Bool, time: Double?) {
        let tracing = AutomaticInstrumentation.tracing
        let id = ObjectIdentifier(control)
        // The cheap questions first: sliders and fields send many actions that are no taps.
        guard tracing.enter(target, id), isEndOfTouch, let views = tracing.views, !control.isTracedByHand,
            tracing.controlFilter.records(ControlFilter.Control(control)),
            tracing.isTap(id, isEndOfTouch: isEndOfTouch, time: time)
        else { return }
        views.recordTap(
            nil, accessibilityIdentifier: control.accessibilityIdentifier,
            type: String(describing: control.classForCoder))
    }

    static func leave(_ target: ExchangeTarget, _ object: UIResponder) {
        guard Thread.isMainThread else { return }
        MainActor.assumeIsolated { AutomaticInstrumentation.tracing.leave(target, ObjectIdentifier(object)) }
    }
}

/// The traces of view controllers, each kept by its controller.
@MainActor
private enum ControllerTraces {
    /// Its address is the key of the association.
    private static let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

    /// `nil` if the controller is not to be recorded, which is decided once.
    static func trace(
        of controller: UIViewController, _ views: ViewTracer, _ filter: ControllerFilter, at target: ExchangeTarget,
    ) -> ControllerTrace? {
        if let known = objc_getAssociatedObject(controller, key) { return known as? ControllerTrace }
        guard target.mayBeginTrace else { return nil }
        guard !controller.isTracedByHand, filter.records(controller) else {
            objc_setAssociatedObject(controller, key, NSNull(), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            return nil
        }
        let trace = ControllerTrace(views) { [weak controller] in
            // By then the app may have begun to trace it.
            guard let controller, !controller.isTracedByHand else {
                return ControllerDescription(name: "", isContainer: true)
            }
            return controller.controllerDescription(nil, id: nil, role: nil, attributes: [:])
        }
        objc_setAssociatedObject(controller, key, trace, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return trace
    }
}

extension ControllerFilter {
    /// Returns true if a controller is recorded, by its class.
    @MainActor
    fileprivate func records(_ controller: UIViewController) -> Bool { records(ControllerClass(controller)) }
}

extension ControllerFilter.ControllerClass {
    /// Key-value observation's subclasses do not count.
    @MainActor
    fileprivate init(_ controller: UIViewController) {
        let type: AnyClass = controller.classForCoder
        let isOfApp = Bundle(for: type).bundlePath.hasPrefix(Bundle.main.bundlePath)
        self.init(runtimeName: NSStringFromClass(type), typeName: String(describing: type), isOfApp: isOfApp)
    }
}

extension ControlFilter.Control {
    @MainActor
    fileprivate init(_ control: UIControl) {
        self.init(accessibilityIdentifier: control.accessibilityIdentifier)
        var responder: UIResponder? = control
        while let current = responder {
            if let controller = current as? UIViewController {
                controllers.append(ControllerFilter.ControllerClass(controller))
            }
            if let view = current as? UIView, view.isExcludedFromAutomaticTaps { isExcluded = true }
            if let field = current as? any UITextInputTraits, field.isSecureTextEntry == true { isSecure = true }
            responder = current.next
        }
    }
}
#endif
