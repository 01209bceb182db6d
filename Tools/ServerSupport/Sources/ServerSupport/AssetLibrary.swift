package import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

/// The files of a server's pages, loaded once. They contain no received data, so they need no escaping.
package struct AssetLibrary: Sendable {
    private let assets: [String: Asset]
    private let shell: Asset

    private struct Asset: Sendable {
        let type: String
        let body: ByteBuffer
        let tag: String
    }

    /// The error thrown if the pages are missing from the build output.
    package struct Missing: Error, CustomStringConvertible {
        /// The folder that was searched.
        package let path: String

        package var description: String { "the pages are missing at \(path); rebuild the package" }
    }

    /// Allows scripts, workers, styles, images and connections of the server itself only, and forbids framing.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

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
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
            let url = folder.appendingPathComponent(path)
            guard let type = types[url.pathExtension], let data = try? Data(contentsOf: url) else { continue }
            assets[path] = Asset(type: type, body: ByteBuffer(bytes: data), tag: tag(data))
        }
        return assets
    }

    /// Returns the HTML document. Its script shows the content that the path names.
    package func page() -> Response {
        var response = Self.response(shell)
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        return response
    }

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
        var response = Response(
            status: .ok,
            // The browser revalidates on each use and gets a short 304 response if nothing changed.
            headers: [.contentType: asset.type, .cacheControl: "no-cache", .eTag: asset.tag],
            body: ResponseBody(byteBuffer: asset.body),
        )
        // A worker that windows share has the policy of its script, and not that of a page.
        if asset.type == types["js"] { response.headers[.contentSecurityPolicy] = contentSecurityPolicy }
        return response
    }

    /// Computes an entity tag: the FNV-1a hash of the content.
    private static func tag(_ data: Data) -> String {
        let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
