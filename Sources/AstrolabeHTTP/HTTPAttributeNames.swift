import Astrolabe
import Foundation

/// The generation of the semantic conventions for HTTP that names the attributes of client spans.
///
/// Dashboards built on the old names break with the new ones; `both` carries them over, at the price of larger spans.
public enum HTTPAttributeNames: String, Sendable, CaseIterable {
    /// `http.request.method`, `url.full`, `http.response.status_code` (stable since version 1.23).
    case stable
    /// `http.method`, `http.url`, `http.status_code`.
    case old
    /// The stable names and the old ones.
    case both

    /// Reads `OTEL_SEMCONV_STABILITY_OPT_IN`, a list with commas: `http/dup` asks for both, anything else and nothing
    /// at all for the stable ones.
    package init(stabilityOptIn: String?) {
        let options = (stabilityOptIn ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        self = options.contains("http/dup") ? .both : .stable
    }

    /// As `OTEL_SEMCONV_STABILITY_OPT_IN` of the process asks.
    package static var ofEnvironment: HTTPAttributeNames {
        HTTPAttributeNames(stabilityOptIn: ProcessInfo.processInfo.environment["OTEL_SEMCONV_STABILITY_OPT_IN"])
    }

    /// An attribute in both generations.
    enum Attribute {
        case method, url, status, host, port, resendCount, responseSize

        var stableName: String {
            switch self {
            case .method: AttributeKey.httpRequestMethod
            case .url: AttributeKey.urlFull
            case .status: AttributeKey.httpResponseStatusCode
            case .host: AttributeKey.serverAddress
            case .port: AttributeKey.serverPort
            case .resendCount: AttributeKey.httpRequestResendCount
            case .responseSize: AttributeKey.httpResponseBodySize
            }
        }

        /// The two that `AttributeKey` leaves out are of version 1.20 of the conventions, the last before the change.
        var oldName: String {
            switch self {
            case .method: AttributeKey.httpMethod
            case .url: AttributeKey.httpURL
            case .status: AttributeKey.httpStatusCode
            case .host: AttributeKey.netPeerName
            case .port: AttributeKey.netPeerPort
            case .resendCount: "http.resend_count"
            case .responseSize: "http.response_content_length"
            }
        }
    }

    func set(_ attribute: Attribute, to value: AttributeValue, in attributes: inout Attributes) {
        if self != .old { attributes[attribute.stableName] = value }
        if self != .stable { attributes[attribute.oldName] = value }
    }

    func set(_ attribute: Attribute, to value: AttributeValue, on span: Tracer.Span) {
        if self != .old { span.setAttribute(attribute.stableName, value) }
        if self != .stable { span.setAttribute(attribute.oldName, value) }
    }
}
