import AstrolabeSemantics
package import AstrolabeTelemetryModel

extension InstrumentationScope {
    /// The scope of a part of the SDK, with the SDK's version and the conventions that it follows.
    package static func ofSDK(_ name: String) -> InstrumentationScope {
        InstrumentationScope(name: name, version: SDKVersion.current, schemaURL: SchemaURL.current)
    }
}
