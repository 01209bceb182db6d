#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import Astrolabe
public import AstrolabeHTTP
public import WebKit

extension HTTPTracing {
    /// Returns a script that gives the trace context to pages of allowed hosts; `nil` if there is none to give.
    ///
    ///     if let script = tracing.userScript() { configuration.userContentController.addUserScript(script) }
    ///
    /// See ``AstrolabeHTTP/HTTPTracing/webScript(context:)``. It runs at the start of the document, in the main frame.
    @MainActor
    public func userScript(context: TelemetryContext = .current) -> WKUserScript? {
        webScript(context: context).map {
            WKUserScript(source: $0, injectionTime: .atDocumentStart, forMainFrameOnly: true)
        }
    }
}
#endif
