/// An app on one platform, such as the shop on iOS. Its releases and screens are apart from those on Android.
package struct AppPlatform: Sendable, Hashable, Comparable {
    /// The value of `service.name`.
    package let service: String
    /// The value of `os.name`, or `web` in a browser; empty if it is unknown.
    package let platform: String

    /// The value of `telemetry.sdk.language` of a browser.
    package static let browserLanguage = "webjs"
    /// The platform of a browser, whose `os.name` says nothing about the app.
    package static let web = "web"

    package init(service: String, platform: String) {
        self.service = service
        self.platform = platform
    }

    package static func < (left: AppPlatform, right: AppPlatform) -> Bool {
        (left.service, left.platform) < (right.service, right.platform)
    }
}
