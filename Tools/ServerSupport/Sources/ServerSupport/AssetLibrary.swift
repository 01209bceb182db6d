package import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

/// The files of a server's pages, read once. None is made from what was received, so none needs escaping.
package struct AssetLibrary: Sendable {
    private let assets: [String: Asset]
    private let shell: Asset

    private struct Asset: Sendable {
        let type: String
        let body: ByteBuffer
        let tag: String
    }

    /// A server was built without its pages.
    package struct Missing: Error, CustomStringConvertible {
        /// Where they were looked for.
        package let path: String

        package var description: String { "the pages are not at \(path); build the package again" }
    }

    /// Scripts, styles and connections from the server itself and nothing else; nobody may frame it.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    /// The pages of a bundle, and what all of our pages share: `shared.css`, `elements.js` and `icon.svg`.
    ///
    /// - Parameter bundle: Has a folder `Assets`, with `index.html` in it.
    package init(in bundle: Bundle) throws(Missing) {
        let shared = Self.files(in: Self.folder(of: .module))
        guard !shared.isEmpty else { throw Missing(path: Self.folder(of: .module).path) }
        var assets = shared.merging(Self.files(in: Self.folder(of: bundle))) { _, own in own }
        guard let shell = assets.removeValue(forKey: "index.html") else {
            throw Missing(path: Self.folder(of: bundle).path)
        }
        self.assets = assets
        self.shell = shell
    }

    private static func folder(of bundle: Bundle) -> URL { bundle.bundleURL.appendingPathComponent("Assets") }

    private static func files(in folder: URL) -> [String: Asset] {
        var assets: [String: Asset] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let url = folder.appendingPathComponent(name)
            guard let type = types[url.pathExtension], let data = try? Data(contentsOf: url) else { continue }
            assets[name] = Asset(type: type, body: ByteBuffer(bytes: data), tag: tag(data))
        }
        return assets
    }

    /// The one document; its script shows what the path names.
    package func page() -> Response {
        var response = Self.response(shell)
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        return response
    }

    /// - Returns: nil where there is no asset of that name.
    package func asset(_ name: String, unless knownTag: String?) -> Response? {
        guard let asset = assets[name] else { return nil }
        if knownTag == asset.tag { return Response(status: .notModified, headers: [.eTag: asset.tag]) }
        return Self.response(asset)
    }

    private static func response(_ asset: Asset) -> Response {
        Response(
            status: .ok,
            // A browser asks again each time, and is told in a few bytes that nothing changed.
            headers: [.contentType: asset.type, .cacheControl: "no-cache", .eTag: asset.tag],
            body: ResponseBody(byteBuffer: asset.body),
        )
    }

    /// FNV-1a over the content: it tells one build's file from another's.
    private static func tag(_ data: Data) -> String {
        let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
