import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
public import Foundation

extension Telemetry {
    /// Records that the app went from one screen to another, as the event `app.navigation.complete`.
    ///
    ///     telemetry.recordNavigation(to: "Order", trigger: "notification", duration: clock.now - start)
    ///
    /// It is for routers and coordinators that know why a screen is shown. It names no screen: traced views and
    /// ``setScreen(_:id:)`` do.
    ///
    /// - Parameters:
    ///   - screen: The name of the new screen.
    ///   - previous: The name of the screen that was left. Default the current one, unless it is the new one.
    ///   - trigger: What caused it, in a word of the app with few values.
    ///   - duration: How long it took, from the cause until the screen was ready.
    public func recordNavigation(
        to screen: String, from previous: String? = nil, trigger: String? = nil, duration: Duration? = nil,
    ) {
        let current = screenName.flatMap { $0 == screen ? nil : $0 }
        recordOpening(
            EventName.appNavigationComplete,
            [
                AttributeKey.appScreenName: screen, AttributeKey.astrolabeNavigationFrom: previous ?? current,
                AttributeKey.astrolabeNavigationTrigger: trigger,
                AttributeKey.astrolabeNavigationDuration: duration?.seconds,
            ])
    }

    /// Records that the user opened the app with a link, as the event `astrolabe.link.open`.
    ///
    ///     ContentView().onOpenURL { telemetry.recordLink($0, template: "/orders/{id}") }
    ///
    /// Without a template, the scheme, host and path are recorded as `url.full`. Values of query items, the fragment,
    /// user information and path segments that look like tokens become `REDACTED`. Of an address without a host, such
    /// as `mailto:`, only the scheme is recorded.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces. Then only the scheme and the template are recorded.
    ///   - source: How the link came, in a word of the app. Default `universal` for `http` and `https`, otherwise
    ///     `scheme`.
    public func recordLink(_ url: URL, template: String? = nil, source: String? = nil) {
        var attributes = LinkAddress(url, template: template).attributes
        let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
        attributes[AttributeKey.astrolabeLinkSource] = .string(source ?? (isWeb ? "universal" : "scheme"))
        recordOpening(EventName.linkOpen, attributes)
    }

    /// Records that the user acted on a notification, as the event `astrolabe.notification.open`.
    ///
    /// It takes no text of the notification, so that none can be recorded. On Apple platforms, `AstrolabeUIKit` has an
    /// overload for `UNNotificationResponse`.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request. A hash of it is recorded: 64 bits of FNV-1a, which a backend that
    ///     knows the identifier can compute.
    ///   - category: The identifier of the category, a constant of the app. Default none.
    ///   - action: `open`, `dismiss`, or the identifier of an action of the app. Default `open`.
    ///   - isRemote: Whether a server sent it. Default not known.
    public func recordNotificationOpen(
        identifier: String, category: String? = nil, action: String = "open", isRemote: Bool? = nil,
    ) {
        recordOpening(
            EventName.notificationOpen,
            [
                AttributeKey.astrolabeNotificationID: Self.hash(identifier),
                AttributeKey.astrolabeNotificationCategory: category.flatMap { $0.isEmpty ? nil : $0 },
                AttributeKey.astrolabeNotificationAction: action,
                AttributeKey.astrolabeNotificationOrigin: isRemote.map { $0 ? "remote" : "local" },
            ])
    }

    /// Records a change of a scene. It is no activity of the user.
    package func recordScene(_ state: SceneState, identifier: String) {
        openings?.emit(
            EventName.sceneChange,
            attributes: [
                AttributeKey.astrolabeSceneID: Self.hash(identifier), AttributeKey.astrolabeSceneState: state.rawValue,
            ])
    }

    private func recordOpening(_ name: String, _ attributes: Attributes) {
        tracker.withLock { $0 }?.recordActivity()
        openings?.emit(name, attributes: attributes)
    }

    private var openings: EventLogger? {
        core.map { EventLogger(core: $0, scope: InstrumentationScope.ofSDK("astrolabe.navigation")) }
    }

    /// 16 hexadecimal digits that stand for an identifier.
    private static func hash(_ identifier: String) -> String {
        let hash = identifier.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The states of a scene, as `astrolabe.scene.state` names them.
package enum SceneState: String, CaseIterable, Sendable {
    case connected
    case foreground
    case active
    case inactive
    case background
    case disconnected
}
