#if canImport(UIKit) && !os(watchOS)
public import Astrolabe
public import Foundation
public import UIKit

#if !os(tvOS)
public import UserNotifications
#endif

extension Telemetry {
    /// Records what a scene was opened by: links, universal links, and a notification.
    ///
    ///     func scene(
    ///         _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions,
    ///     ) {
    ///         telemetry.recordOpening(by: options)
    ///     }
    @MainActor
    public func recordOpening(by options: UIScene.ConnectionOptions) {
        recordLinks(options.urlContexts)
        for activity in options.userActivities { recordLink(continuing: activity) }
        #if !os(tvOS)
        if let response = options.notificationResponse { recordNotificationOpen(response) }
        #endif
    }

    /// Records the links of `scene(_:openURLContexts:)`: see ``Astrolabe/Telemetry/recordLink(_:template:source:)``.
    @MainActor
    public func recordLinks(_ contexts: Set<UIOpenURLContext>) {
        for context in contexts { recordLink(context.url) }
    }

    /// Records the universal link of `scene(_:continue:)`. Other activities are not recorded.
    public func recordLink(continuing activity: NSUserActivity) {
        guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return }
        recordLink(url)
    }

    #if !os(tvOS)
    /// Records that the user acted on a notification, from `userNotificationCenter(_:didReceive:)`.
    ///
    /// Only the identifiers of the category and the action, the origin and a hash of the request's identifier are read.
    public func recordNotificationOpen(_ response: UNNotificationResponse) {
        let request = response.notification.request
        let action: String
        if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
            action = "open"
        } else if response.actionIdentifier == UNNotificationDismissActionIdentifier {
            action = "dismiss"
        } else {
            action = response.actionIdentifier
        }
        recordNotificationOpen(
            identifier: request.identifier, category: request.content.categoryIdentifier, action: action,
            isRemote: request.trigger is UNPushNotificationTrigger)
    }
    #endif
}
#endif
