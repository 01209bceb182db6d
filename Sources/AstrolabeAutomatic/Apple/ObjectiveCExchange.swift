#if canImport(ObjectiveC) && canImport(UIKit) && !os(watchOS)
import Foundation
import ObjectiveC
import UIKit

/// Exchanges implementations with the Objective-C runtime.
///
/// Nothing here is isolated to the main actor, because the runtime calls the blocks on whichever thread sends the
/// message. Each block calls the implementation before once, with the selector that it belongs to.
enum ObjectiveCExchange {
    private typealias Load = @convention(c) (UIViewController, Selector) -> Void
    private typealias Appearance = @convention(c) (UIViewController, Selector, Bool) -> Void
    private typealias Action = @convention(c) (UIControl, Selector, Selector, AnyObject?, UIEvent?) -> Void
    private typealias HandlerAction = @convention(c) (UIControl, Selector, UIAction) -> Void

    static func exchange(_ target: ExchangeTarget) -> Bool {
        let selector = NSSelectorFromString(target.selectorName)
        guard let method = ownMethod(selector, className: target.className) else { return false }
        let original = method_getImplementation(method)
        let block: AnyObject
        switch target {
        case .viewDidLoad:
            block = load(target, selector, unsafeBitCast(original, to: Load.self))
        case .viewWillAppear, .viewDidAppear, .viewDidDisappear:
            block = appearance(target, selector, unsafeBitCast(original, to: Appearance.self))
        case .sendAction:
            block = action(selector, unsafeBitCast(original, to: Action.self))
        case .sendUIAction:
            block = handler(selector, unsafeBitCast(original, to: HandlerAction.self))
        }
        method_setImplementation(method, imp_implementationWithBlock(block))
        return true
    }

    /// The method if the class implements it itself: exchanging an inherited one would change the superclass.
    private static func ownMethod(_ selector: Selector, className: String) -> Method? {
        guard let type: AnyClass = NSClassFromString(className) else { return nil }
        var count: UInt32 = 0
        guard let methods = class_copyMethodList(type, &count) else { return nil }
        defer { free(methods) }
        return (0..<Int(count)).map { methods[$0] }.first { method_getName($0) == selector }
    }

    private static func load(_ target: ExchangeTarget, _ selector: Selector, _ original: @escaping Load) -> AnyObject {
        let block: @convention(block) (UIViewController) -> Void = { controller in
            ExchangedCalls.enter(target, controller)
            original(controller, selector)
            ExchangedCalls.leave(target, controller)
        }
        return unsafeBitCast(block, to: AnyObject.self)
    }

    private static func appearance(
        _ target: ExchangeTarget, _ selector: Selector, _ original: @escaping Appearance,
    ) -> AnyObject {
        let block: @convention(block) (UIViewController, Bool) -> Void = { controller, isAnimated in
            ExchangedCalls.enter(target, controller)
            original(controller, selector, isAnimated)
            ExchangedCalls.leave(target, controller)
        }
        return unsafeBitCast(block, to: AnyObject.self)
    }

    private static func action(_ selector: Selector, _ original: @escaping Action) -> AnyObject {
        let block: @convention(block) (UIControl, Selector, AnyObject?, UIEvent?) -> Void = {
            control, action, receiver, event in
            ExchangedCalls.enterAction(control, event)
            original(control, selector, action, receiver, event)
            ExchangedCalls.leave(.sendAction, control)
        }
        return unsafeBitCast(block, to: AnyObject.self)
    }

    private static func handler(_ selector: Selector, _ original: @escaping HandlerAction) -> AnyObject {
        let block: @convention(block) (UIControl, UIAction) -> Void = { control, action in
            ExchangedCalls.enterAction(control, action)
            original(control, selector, action)
            ExchangedCalls.leave(.sendUIAction, control)
        }
        return unsafeBitCast(block, to: AnyObject.self)
    }
}
#endif
