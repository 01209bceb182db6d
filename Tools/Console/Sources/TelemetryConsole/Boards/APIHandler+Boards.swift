import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryBoards

/// The API's requests about boards.
enum BoardQuestion: Sendable, Hashable {
    case boards
    case board(String)
    case alerts

    var methods: [HTTPRequest.Method] {
        switch self {
        case .boards, .alerts: [.get, .head]
        case .board: [.get, .head, .put, .delete]
        }
    }
}

extension APIHandler {
    func respond(to question: BoardQuestion, request: Request) async throws -> Response {
        var text = JSONText(capacity: 16_384)
        switch question {
        case .boards:
            let entries = await boards.entries()
            text.object { text in
                text.member("folder", boards.folder.path)
                text.member("boards") { $0.array(entries) { $0.append(summary: $1) } }
            }
            return Response(json: text)
        case .alerts:
            text.append(await alerts.snapshot())
            return Response(json: text)
        case .board(let id):
            do {
                switch request.method {
                case .put: return try await save(id, request)
                case .delete:
                    try await boards.remove(id, version: request.headers[.ifMatch])
                    return Response(status: .noContent)
                default:
                    guard let entry = await boards.entry(id) else { throw BoardLibrary.Refusal.notFound }
                    if request.headers[.ifNoneMatch] == entry.tag {
                        return Response(status: .notModified, headers: [.eTag: entry.tag])
                    }
                    return try response(entry)
                }
            } catch let refusal as BoardLibrary.Refusal {
                throw APIFailure(refusal, id: id, folder: boards.folder)
            }
        }
    }

    /// Takes a board as JSON, or a whole file as YAML.
    private func save(_ id: String, _ request: Request) async throws -> Response {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/json" || type == "application/yaml" else {
            throw APIFailure(
                .unsupportedMediaType, "expected the content type application/json or application/yaml", )
        }
        let body = try await request.bytes(atMost: BoardLimits.bytes, of: "a board")
        do {
            let file = id + ".yaml"
            let source: @Sendable (String) throws -> String
            if type == "application/json" {
                let board = try Board(json: body)
                source = { board.yaml(replacing: $0) }
            } else {
                guard let text = String(data: body, encoding: .utf8) else {
                    throw APIFailure(.badRequest, "expected UTF-8")
                }
                _ = try Board(yaml: text, file: file)
                source = { _ in text }
            }
            let (entry, isNew) = try await boards.save(id, version: request.headers[.ifMatch], text: source)
            return try response(entry, status: isNew ? .created : .ok)
        } catch let error as BoardError {
            return Response(json: JSONText(error), status: .badRequest)
        }
    }

    private func response(_ entry: BoardLibrary.Entry, status: HTTPResponse.Status = .ok) throws -> Response {
        var text = JSONText(capacity: 16_384)
        try text.append(entry)
        var response = Response(json: text, status: status)
        response.headers[.eTag] = entry.tag
        return response
    }
}

extension APIFailure {
    fileprivate init(_ refusal: BoardLibrary.Refusal, id: String, folder: URL) {
        switch refusal {
        case .invalidID:
            self.init(
                .badRequest, "expected a name of at most 64 characters of a-z, 0-9 and -, found \(id.prefix(80))", )
        case .tooMany: self.init(.conflict, "there are \(BoardLibrary.limit) boards; delete one")
        case .notFound: self.init(.notFound, "no file \(id.prefix(80)).yaml in the folder of the boards")
        case .needsVersion:
            self.init(
                .init(code: 428, reasonPhrase: "Precondition Required"),
                "there is a board \(id); send If-Match with the ETag of the version that you changed", )
        case .changed:
            self.init(
                .preconditionFailed, "the board \(id) was changed meanwhile; load it again and repeat the change", )
        case .unwritable: self.init(.internalServerError, "the folder \(folder.path) cannot be written")
        }
    }
}
