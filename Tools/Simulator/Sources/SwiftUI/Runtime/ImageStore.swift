import Foundation
import Synchronization

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Loads the bytes of an image.
package struct ImageLoader: Sendable {
    package var load: @Sendable (URL) async throws -> Data

    package init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Loads images through the app's network, as Apple's `AsyncImage` does.
    package static func urlSession(_ session: URLSession = .shared) -> ImageLoader {
        ImageLoader { try await session.contents(of: $0) }
    }
}

extension URLSession {
    /// An HTTP error status is an error. After cancellation the call ends at once, and the result is discarded.
    ///
    /// The session's task is left to end by itself. On Linux, cancelling it while its response arrives can crash the
    /// process or block forever.
    fileprivate func contents(of url: URL) async throws -> Data {
        let firstResult = FirstResult()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                firstResult.await(continuation)
                dataTask(with: url) { data, response, error in
                    if let data, (200...299).contains((response as? HTTPURLResponse)?.statusCode ?? 200) {
                        firstResult.give(.success(data))
                    } else {
                        firstResult.give(.failure(error ?? URLError(.badServerResponse)))
                    }
                }.resume()
            }
        } onCancel: {
            firstResult.give(.failure(CancellationError()))
        }
    }
}

/// Delivers the first result to the waiting task.
private final class FirstResult: Sendable {
    private struct State {
        var result: Result<Data, any Error>?
        var continuation: CheckedContinuation<Data, any Error>?
    }

    private let state = Mutex(State())

    func await(_ continuation: CheckedContinuation<Data, any Error>) {
        let result = state.withLock { state in
            state.continuation = state.result == nil ? continuation : nil
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func give(_ result: Result<Data, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Data, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        waiter?.resume(with: result)
    }
}

/// An image that rendered nodes name.
package struct ImageResource: Hashable, Sendable {
    package let name: String
    /// The media type found in the first bytes, such as "image/png".
    package let type: String
    package let data: Data
}

/// The loaded images, each stored once for its bytes.
@MainActor
final class ImageStore {
    /// The largest image in bytes.
    static let sizeLimit = 8 << 20
    /// The limit of stored bytes. The least recently used images are removed first.
    static let totalLimit = 64 << 20

    private let loader: ImageLoader
    private var resources: [String: ImageResource] = [:]
    private var recency: [String] = []
    private var total = 0
    /// The resources of assets, by the asset's name.
    private var assets: [String: String] = [:]

    init(_ loader: ImageLoader) {
        self.loader = loader
    }

    func resource(_ name: String) -> ImageResource? { resources[name] }

    /// - Throws: The loader's error, or `URLError` for data that is not an image or is too large.
    func fetch(_ url: URL) async throws -> ImageResource {
        let data = try await loader.load(url)
        guard data.count <= Self.sizeLimit else { throw URLError(.dataLengthExceedsMaximum) }
        guard let type = Self.type(of: data) else { throw URLError(.cannotDecodeContentData) }
        let resource = ImageResource(name: Self.name(of: data), type: type, data: data)
        keep(resource)
        return resource
    }

    /// Returns an image of the app's assets, or `nil` if there is none with the name.
    func asset(_ name: String) -> ImageResource? {
        if let known = assets[name] { return resources[known] ?? load(name) }
        return load(name)
    }

    private func load(_ name: String) -> ImageResource? {
        guard let file = Assets.main.images[name]?.file, let data = try? Data(contentsOf: file),
            data.count <= Self.sizeLimit, let type = Self.type(of: data)
        else { return nil }
        let resource = ImageResource(name: Self.name(of: data), type: type, data: data)
        keep(resource)
        assets[name] = resource.name
        return resource
    }

    private func keep(_ resource: ImageResource) {
        recency.removeAll { $0 == resource.name }
        recency.append(resource.name)
        if resources.updateValue(resource, forKey: resource.name) == nil { total += resource.data.count }
        while total > Self.totalLimit, recency.count > 1,
            let oldest = resources.removeValue(forKey: recency.removeFirst())
        {
            total -= oldest.data.count
        }
    }

    private static func type(of data: Data) -> String? {
        let start = [UInt8](data.prefix(256))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if start.count > 12, start.starts(with: Array("RIFF".utf8)), Array(start[8..<12]) == Array("WEBP".utf8) {
            return "image/webp"
        }
        let text = String(decoding: start, as: UTF8.self)
        return text.contains("<svg") ? "image/svg+xml" : nil
    }

    /// Returns a name from the FNV-1a hash of 64 bits and the length, which is the same for the same bytes.
    private static func name(of data: Data) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16) + "-" + String(data.count)
    }
}
