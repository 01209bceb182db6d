import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The files of the pages, read once. None is made from what was received, so none needs escaping.
struct AssetLibrary: Sendable {
    private let assets: [String: Asset]
    private let shell: Asset

    private struct Asset: Sendable {
        let type: String
        let body: ByteBuffer
        let tag: String
    }

    /// Scripts, styles and connections from the console itself and nothing else; nobody may frame it.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    init() throws(ConsoleError) {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Assets")
        var assets: [String: Asset] = [:]
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in files {
            let url = folder.appendingPathComponent(name)
            guard let type = Self.types[url.pathExtension], let data = try? Data(contentsOf: url) else { continue }
            assets[name] = Asset(type: type, body: ByteBuffer(bytes: data), tag: Self.tag(data))
        }
        guard let shell = assets.removeValue(forKey: "index.html") else {
            throw ConsoleError.assetsMissing(path: folder.path)
        }
        self.assets = assets
        self.shell = shell
    }

    /// The one document of the console; its script shows what the path names.
    func page() throws -> Response {
        var response = Self.response(shell)
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        return response
    }

    func asset(_ name: String, unless knownTag: String?) throws -> Response {
        guard let asset = assets[name] else { throw APIFailure(.notFound, "there is no asset \(name)") }
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
