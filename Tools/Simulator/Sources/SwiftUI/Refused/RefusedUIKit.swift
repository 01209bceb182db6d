public import Foundation

// Types of UIKit that view files mention and that the stand-in refuses: see `RefusedTypes.swift`.

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIApplication. Use openURL and scenePhase.")
public final class UIApplication {
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    public static let openSettingsURLString = "app-settings:"
    public static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    public static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
    public static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    public static var shared: UIApplication { UIApplication() }
    public var isIdleTimerDisabled = false
    public var applicationIconBadgeNumber = 0
    public var connectedScenes: Set<AnyHashable> { [] }
    init() {}
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: ((Bool) -> Void)? = nil,
    ) {}
    public func canOpenURL(_ url: URL) -> Bool { false }
    public func endEditing(_ force: Bool) -> Bool { false }
    public func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: Any?) -> Bool { false }
    public func registerForRemoteNotifications() {}
}

/// The name of a method, which only Objective-C has.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    public init(_ name: String) {}
    public init(stringLiteral value: String) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks UIImage. Use Image.")
public final class UIImage: Hashable {
    public var size: CGSize { .zero }
    public init() {}
    public init?(named name: String) {}
    public init?(systemName name: String) {}
    public init?(data: Data) {}
    public init?(contentsOfFile path: String) {}
    public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
    public func pngData() -> Data? { nil }
    public static func == (left: UIImage, right: UIImage) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) {}
}

extension Image {
    @available(*, unavailable)
    public init(uiImage image: UIImage) {
        self.init("")
    }
}

@available(*, unavailable, message: "SwiftUI on Linux lacks UIFont. Use Font.")
public final class UIFont {
    public var pointSize: CGFloat { 0 }
    public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont() }
    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont() }
    public init?(name: String, size: CGFloat) {}
    init() {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UINotificationFeedbackGenerator. Use sensoryFeedback.")
public final class UINotificationFeedbackGenerator {
    public enum FeedbackType: Sendable {
        case success, warning, error
    }

    public init() {}
    public func prepare() {}
    public func notificationOccurred(_ type: FeedbackType) {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIImpactFeedbackGenerator. Use sensoryFeedback.")
public final class UIImpactFeedbackGenerator {
    public enum FeedbackStyle: Sendable {
        case light, medium, heavy, soft, rigid
    }

    public init() {}
    public init(style: FeedbackStyle) {}
    public func prepare() {}
    public func impactOccurred() {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UISelectionFeedbackGenerator. Use sensoryFeedback.")
public final class UISelectionFeedbackGenerator {
    public init() {}
    public func prepare() {}
    public func selectionChanged() {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UINavigationBar. Use the modifiers of the bar.")
public final class UINavigationBar {
    public static func appearance() -> UINavigationBar { UINavigationBar() }
    public var tintColor: UIColor?
    public var barTintColor: UIColor?
    public var backgroundColor: UIColor?
    public var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
    public var titleTextAttributes: [NSAttributedString.Key: Any]?
    init() {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIView. Use a view of SwiftUI.")
open class UIView {
    public init() {}
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIViewController. Use a view of SwiftUI.")
open class UIViewController {
    public init() {}
}

public struct UIViewRepresentableContext {}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIViewRepresentable. Use a view of SwiftUI.")
public protocol UIViewRepresentable: View where Body == Never {
    typealias Context = UIViewRepresentableContext
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIViewControllerRepresentable. Use a view of SwiftUI.")
public protocol UIViewControllerRepresentable: View where Body == Never {
    typealias Context = UIViewRepresentableContext
}

@MainActor
@available(*, unavailable, message: "SwiftUI on Linux lacks UIHostingController. Present the view by sheet.")
public final class UIHostingController<Content: View> {
    public init(rootView: Content) {}
}

@available(*, unavailable, message: "SwiftUI on Linux lacks UIApplicationDelegateAdaptor. Use scenePhase.")
@propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate> {
    public init(_ type: Delegate.Type = Delegate.self) {}
    public var wrappedValue: Delegate { fatalError("unavailable") }
}
