import AstrolabeSemantics
import ConsoleModel

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
