public import Astrolabe
import AstrolabeRecording

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Trace context for the pages of a web view, so that what a page records belongs to the trace of the screen.
extension HTTPTracing {
    /// Returns the request for the first page with the headers of the context, if its host is allowed.
    ///
    ///     webView.load(tracing.webRequest(request))
    ///
    /// A web view sends these headers with this request only. Its pages learn the context from ``webScript(context:)``.
    ///
    /// - Parameter context: Default the current one, of the span that is active where this is called.
    public func webRequest(_ request: URLRequest, context: TelemetryContext = .current) -> URLRequest {
        withContext(request, of: context)
    }

    /// Returns a script that gives the context to pages of allowed hosts, as `meta` elements such as `traceparent`.
    ///
    /// Instrumentation of pages by OpenTelemetry reads that element. `AstrolabeUIKit` makes a `WKUserScript` of it; on
    /// macOS, make one for the start of the document and the main frame only. Pages of other hosts learn nothing: the
    /// script compares the host of each page and does nothing if it is not allowed.
    ///
    /// The script is for one span. Make another one for the next screen.
    ///
    /// - Parameter context: Default the current one.
    /// - Returns: `nil` if there is no context to give, or no allowed host.
    public func webScript(context: TelemetryContext = .current) -> String? {
        var values: [[String]] = []
        inject(context) { name, value in values.append([name, value]) }
        guard !values.isEmpty, !allowedHosts.isEmpty, let values = Self.literal(values),
            let names = Self.literal([allowedHosts.names]), let suffixes = Self.literal([allowedHosts.suffixes])
        else { return nil }
        return """
            (function () {
              var values = \(values), names = \(names)[0], suffixes = \(suffixes)[0];
              var host = location.hostname.toLowerCase();
              var isAllowed = names.indexOf(host) >= 0 || suffixes.some(function (suffix) {
                return host.length > suffix.length && host.slice(-suffix.length) === suffix;
              });
              if (!isAllowed) { return; }
              values.forEach(function (value) {
                var element = document.createElement("meta");
                element.name = value[0];
                element.content = value[1];
                (document.head || document.documentElement).appendChild(element);
              });
            })();
            """
    }

    /// Texts as a literal of the page's language, which may stand in a page.
    private static func literal(_ texts: [[String]]) -> String? {
        guard let data = try? JSONEncoder().encode(texts) else { return nil }
        return String(decoding: data, as: UTF8.self).replacingOccurrences(of: "<", with: "\\u003c")
    }
}
