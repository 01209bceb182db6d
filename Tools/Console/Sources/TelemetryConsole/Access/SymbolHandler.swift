import AstrolabePlatform
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Symbolication

/// Receives debug symbols: the body is one Mach-O or ELF file, and `name` is the name to store it by.
///
///     POST /api/v1/symbols?name=AstronomyShop      {"symbols":[{"buildID":"…","name":"AstronomyShop","isNew":true}]}
///
/// A body is written to a file while it arrives, and stored only when it is complete and has symbols. It may have the
/// content encodings of ``BodyCompression``. The release of the build may be in the query: see ``ReleaseHandler``. The
/// number of uploads at the same time and their size on disk are limited: see ``UploadTable``.
///
///     GET /api/v1/symbols/{build}                  {"buildID":"…","name":"AstronomyShop","hasLines":true}
struct SymbolHandler: Sendable {
    private let store: SymbolStore
    private let releases: ReleaseHandler
    private let limit: Int
    private let uploads: Locked<UploadTable>

    /// The most that a body may have when it is decompressed: 16 MiB, and 32 bytes for each that has arrived. Debug
    /// symbols have fewer than 16 for each.
    private static let freeExpansion = 16 << 20
    private static let largestExpansion = 32

    /// The parameters of an upload: the name of the file, and the facts of a release.
    static let parameters = (["name"] + ReleaseHandler.parameters).joined(separator: " ")

    init(_ store: SymbolStore, releases: ReleaseHandler, limits: ConsoleConfiguration.Limits) {
        self.store = store
        self.releases = releases
        limit = limits.symbolBytes
        uploads = Locked(UploadTable(limits: limits.symbolUploads))
    }

    /// The uploads that are under way.
    var underWay: UploadTable { uploads.withLock { $0 } }

    /// Returns what is stored of a build, so that it need not be sent again.
    func find(_ build: String) throws -> Response {
        guard let id = BuildID(build) else {
            throw APIFailure(.badRequest, "expected a build ID of 8 to 128 hexadecimal digits")
        }
        guard let symbols = store.symbols(id) else {
            throw APIFailure(.notFound, "no symbols of the build \(id) are stored")
        }
        var text = JSONText()
        text.object { text in
            text.member("buildID", id.hex)
            text.member("name", symbols.name)
            text.member("hasLines", symbols.facts.hasLines)
        }
        return Response(json: text)
    }

    /// - Parameter sender: Who shares in the uploads as one.
    /// - Returns: The response, and the build ids that were stored, for the audit log.
    func respond(to request: Request, from sender: String) async throws -> (response: Response, stored: String) {
        let name = try name(of: request)
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        let compression = try compression(of: request)
        guard let upload = uploads.withLock({ $0.begin(sender) }) else { throw Self.busy }
        defer { uploads.withLock { $0.end(upload) } }
        let folder = store.folder.appendingPathComponent("upload-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try await receive(request, compression, into: file, as: upload)
        let additions: [SymbolAddition]
        do {
            additions = try await QueryThreads.run { [store] in try store.add(file) }
        } catch let error as SymbolError {
            throw APIFailure(error, file: file)
        }
        try await releases.record(QueryReader(request.uri), builds: additions.map(\.symbols.buildID))
        var text = JSONText()
        text.object { text in
            text.member("symbols") { text in
                text.array(additions) { text, addition in
                    text.object { text in
                        text.member("buildID", addition.symbols.buildID.hex)
                        text.member("name", addition.symbols.name)
                        text.member("isNew", addition.isNew)
                    }
                }
            }
        }
        let stored = additions.filter(\.isNew).map(\.symbols.buildID.hex).joined(separator: " ")
        return (Response(json: text), stored)
    }

    private static var busy: APIFailure {
        var failure = APIFailure(.serviceUnavailable, "other uploads are under way; send this one again in 10 s")
        failure.headers[.retryAfter] = "10"
        return failure
    }

    private var tooLarge: APIFailure {
        APIFailure(.contentTooLarge, "the file is larger than \(limit) bytes; send one image, without other files")
    }

    private static var expandsTooMuch: APIFailure {
        APIFailure(
            .contentTooLarge,
            "the body decompresses to more than \(largestExpansion) times its length; send it uncompressed")
    }

    private func name(of request: Request) throws -> String {
        let name = QueryReader(request.uri).text("name") ?? ""
        guard (1...200).contains(name.utf8.count), !name.hasPrefix("."), !name.contains("/"),
            name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else {
            throw APIFailure(
                .badRequest, "expected name= with the file's name: 1 to 200 bytes, no slash, no dot at its start")
        }
        return name
    }

    private func compression(of request: Request) throws(APIFailure) -> BodyCompression {
        if let compression = BodyCompression(request.headers[.contentEncoding]) { return compression }
        let found = (request.headers[.contentEncoding] ?? "").prefix(40).debugDescription
        var failure = APIFailure(
            .unsupportedMediaType, "expected the content encoding \(BodyCompression.names) or none, found \(found)")
        failure.headers[.acceptEncoding] = BodyCompression.names
        throw failure
    }

    private func receive(
        _ request: Request, _ compression: BodyCompression, into file: URL, as upload: Int,
    ) async throws {
        let files = FileManager.default
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard files.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw APIFailure(.unwritable, "the symbols cannot be written")
        }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        func write(_ bytes: some Collection<UInt8>) throws(APIFailure) {
            guard uploads.withLock({ $0.grow(upload, by: bytes.count) }) else { throw Self.busy }
            do {
                try output.write(contentsOf: Data(bytes))
            } catch {
                throw APIFailure(.unwritable, "the symbols cannot be written; the disk may be full")
            }
        }
        guard let inflation = try compression.inflation(limit: limit) else {
            var bytes = 0
            for try await part in request.body {
                bytes += part.readableBytes
                guard bytes <= limit else { throw tooLarge }
                try write(part.readableBytesView)
            }
            return
        }
        do {
            var (arrived, made) = (0, 0)
            for try await part in request.body {
                arrived += part.readableBytes
                try part.withUnsafeReadableBytes { bytes in
                    try inflation.add(bytes) { piece in
                        made += piece.count
                        guard made <= Self.freeExpansion + arrived * Self.largestExpansion else {
                            throw Self.expandsTooMuch
                        }
                        try write(piece)
                    }
                }
            }
            try inflation.end()
        } catch let error as any InflationError {
            throw error.isOverLimit ? tooLarge : APIFailure(.badRequest, error.description)
        }
    }
}

extension APIFailure {
    /// - Parameter file: Where the upload was written; the client knows its name alone.
    fileprivate init(_ error: SymbolError, file: URL) {
        let status: HTTPResponse.Status =
            switch error {
            case .storeFull, .cannotStore: .unwritable
            default: .badRequest
            }
        self.init(status, error.description.replacing(file.path, with: file.lastPathComponent))
    }
}

extension HTTPResponse.Status {
    /// RFC 4918, section 11.5.
    static let unwritable = Self(code: 507, reasonPhrase: "Insufficient Storage")
}
