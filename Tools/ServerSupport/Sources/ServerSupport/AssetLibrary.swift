import AstrolabePolicyDocument
package import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

/// The files of a server's pages, loaded once. They contain no received data, so they need no escaping.
///
/// A page is its document, one script, one style sheet and the icon: a browser that opens many windows at once drops
/// some of their requests. The script that loads a page again is in the document, so no page can be without it.
package struct AssetLibrary: Sendable {
    private let assets: [String: Asset]
    private let shell: Asset

    private struct Asset: Sendable {
        let headers: HTTPFields
        let body: ByteBuffer
        let tag: String

        init(_ data: Data, at path: String, policy: String? = nil) {
            body = ByteBuffer(bytes: data)
            tag = AssetLibrary.tag(data)
            let type = AssetLibrary.types[URL(fileURLWithPath: path).pathExtension]
            // The browser revalidates on each use and gets a short 304 response if nothing changed.
            var headers: HTTPFields = [.contentType: type ?? "", .cacheControl: "no-cache", .eTag: tag]
            headers[.contentSecurityPolicy] = policy
            self.headers = headers
        }
    }

    /// The error thrown if the pages are missing from the build output.
    package struct Missing: Error, CustomStringConvertible {
        /// The folder that was searched.
        package let path: String

        package var description: String { "the pages are missing at \(path); rebuild the package" }
    }

    /// Allows scripts, workers, styles, images and connections of the server itself only, and forbids framing.
    ///
    /// - Parameter inline: The sources of the scripts in a document, such as `'sha256-…'`.
    private static func contentSecurityPolicy(inline: [String] = []) -> String {
        """
        default-src 'none'; script-src \((["'self'"] + inline).joined(separator: " ")); worker-src 'self'; \
        style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'
        """
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    /// Loads the pages of a bundle, and the folder `shared` that all pages have.
    ///
    /// - Parameter bundle: A bundle with a folder `Assets` that contains `index.html` and folders of other files.
    /// - Throws: ``Missing`` if a folder has no files or no `index.html`.
    package init(in bundle: Bundle) throws(Missing) {
        let shared = Self.files(in: Self.folder(of: .module))
        guard !shared.isEmpty else { throw Missing(path: Self.folder(of: .module).path) }
        var files = shared.merging(Self.files(in: Self.folder(of: bundle))) { _, own in own }
        guard let page = files.removeValue(forKey: "index.html") else {
            throw Missing(path: Self.folder(of: bundle).path)
        }
        let texts = files.mapValues { String(decoding: $0, as: UTF8.self) }
        for (path, text) in AssetJoin(texts).joined { files[path] = Data(text.utf8) }
        // A worker that windows share has the policy of its script, and not that of a page.
        let policy = Self.contentSecurityPolicy()
        assets = files.reduce(into: [:]) { assets, file in
            let isScript = file.key.hasSuffix(".js")
            assets[file.key] = Asset(file.value, at: file.key, policy: isScript ? policy : nil)
        }
        guard let (document, sources) = Self.inlined(String(decoding: page, as: UTF8.self), texts) else {
            throw Missing(path: Self.folder(of: bundle).path)
        }
        let pagePolicy = Self.contentSecurityPolicy(inline: sources)
        shell = Asset(Data(document.utf8), at: "index.html", policy: pagePolicy)
    }

    /// Puts the scripts that are no modules into a document. Returns it with their sources for the policy; nil if one
    /// is not there.
    private static func inlined(_ page: String, _ texts: [String: String]) -> (document: String, sources: [String])? {
        var sources: [String] = []
        var isWhole = true
        let document = page.replacing(#/<script src="/?assets/([^"]+)"></script>/#) { match in
            let script = texts[String(match.1)] ?? ""
            isWhole = isWhole && !script.isEmpty
            sources.append("'sha256-\(Data(SHA256.digest(Array(script.utf8))).base64EncodedString())'")
            return "<script>\(script)</script>"
        }
        return isWhole ? (document, sources) : nil
    }

    private static func folder(of bundle: Bundle) -> URL { bundle.bundleURL.appendingPathComponent("Assets") }

    private static func files(in folder: URL) -> [String: Data] {
        var files: [String: Data] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
            let url = folder.appendingPathComponent(path)
            if types[url.pathExtension] != nil, let data = try? Data(contentsOf: url) { files[path] = data }
        }
        return files
    }

    /// Returns the HTML document. Its script shows the content that the path names.
    package func page() -> Response { Self.response(shell) }

    /// Returns an asset, or 304 if the client already has it.
    ///
    /// - Parameters:
    ///   - path: The path in the folder of assets, such as `styles/base.css`.
    ///   - knownTag: The entity tag that the client sent.
    /// - Returns: `nil` if there is no asset with that path.
    package func asset(_ path: String, unless knownTag: String?) -> Response? {
        guard let asset = assets[path] else { return nil }
        if knownTag == asset.tag { return Response(status: .notModified, headers: [.eTag: asset.tag]) }
        return Self.response(asset)
    }

    private static func response(_ asset: Asset) -> Response {
        Response(status: .ok, headers: asset.headers, body: ResponseBody(byteBuffer: asset.body))
    }

    /// Computes an entity tag: the FNV-1a hash of the content.
    private static func tag(_ data: Data) -> String {
        let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
