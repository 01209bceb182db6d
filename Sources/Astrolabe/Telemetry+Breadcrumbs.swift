package import AstrolabeRecording
public import AstrolabeTelemetryModel

extension Telemetry {
    /// Remembers that something happened, for the error that may come after it.
    ///
    ///     telemetry.addBreadcrumb("opened the cart", category: "navigation", attributes: ["demo.cart.items.count": 3])
    ///
    /// The last 100 are kept in memory, 50 and then 20 where the device runs short of it
    /// (`PolicyConfiguration.breadcrumbLimit`). They are no records and are not sent by themselves: events of severity
    /// `error` or above and exceptions of spans take them along as `astrolabe.breadcrumbs`, whatever the
    /// mode collects. The SDK adds some itself: changes of the network (`network`) and of the app's life (`lifecycle`),
    /// and the events `app.widget.click` and `app.screen.click` (`tap`).
    ///
    /// - Parameters:
    ///   - message: What happened; 256 bytes of UTF-8, of which the rest is cut. Redacted, as is all of a breadcrumb.
    ///   - category: What sort of thing it was; 64 bytes.
    ///   - attributes: At most 8; 256 bytes for the text of each value.
    public func addBreadcrumb(_ message: String, category: String = "app", attributes: Attributes = [:]) {
        core?.addBreadcrumb(message, category: category, attributes: attributes)
    }

    /// The breadcrumbs that are remembered, the oldest first, as an error of this moment would take them along.
    package var breadcrumbs: [Breadcrumb] { core?.breadcrumbs.all ?? [] }
}
