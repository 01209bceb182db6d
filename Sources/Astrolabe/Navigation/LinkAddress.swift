import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// The part of a link that may be recorded when it opened the app.
///
/// A link often holds a secret: a token to sign in, an invitation, an address. So only its scheme, host and path are
/// recorded, and of the query the names of its items. The redaction of all records replaces tokens in the path.
struct LinkAddress: Equatable {
    let attributes: Attributes

    /// - Parameter template: The path with its variable parts in braces. Then nothing else of the address is recorded.
    init(_ url: URL, template: String?) {
        var attributes = Attributes()
        let scheme = url.scheme?.lowercased()
        attributes[AttributeKey.urlScheme] = scheme.map { .string($0) }
        if let template {
            attributes[AttributeKey.urlTemplate] = .string(template)
        } else if let scheme, let text = Self.text(of: url, scheme: scheme) {
            attributes[AttributeKey.urlFull] = .string(text)
        }
        self.attributes = attributes
    }

    /// `nil` for what has no host and no path below a root, as `tel:` and `mailto:`, whose whole text is personal.
    private static func text(of url: URL, scheme: String) -> String? {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false), parts.host != nil else { return nil }
        var text = scheme + "://" + (parts.percentEncodedHost ?? "")
        if let port = parts.port { text += ":\(port)" }
        text += parts.percentEncodedPath
        if let query = parts.percentEncodedQuery, !query.isEmpty {
            text += "?" + query.split(separator: "&").map(item).joined(separator: "&")
        }
        if let fragment = parts.percentEncodedFragment, !fragment.isEmpty { text += "#" + Redactor.replacement }
        return text
    }

    /// An item without a name is a value. Values of named items are left to the redaction, which knows the allowed.
    private static func item(_ item: Substring) -> String {
        item.contains("=") ? String(item) : Redactor.replacement
    }
}
