import AstrolabeSemantics

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

extension Schema {
    /// Returns SQL for the platform of a row of `resources` with the alias `table`, as ``AppPlatform`` has it.
    static func platform(of table: String) -> String {
        let language = text(AttributeKey.telemetrySDKLanguage, in: "\(table).attributes")
        let system = text(AttributeKey.osName, in: "\(table).attributes")
        return """
            CASE WHEN (\(language)) = '\(AppPlatform.browserLanguage)' THEN '\(AppPlatform.web)' \
            ELSE ifnull(\(system), '') END
            """
    }
}
