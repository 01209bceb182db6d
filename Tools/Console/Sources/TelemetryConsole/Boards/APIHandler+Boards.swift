import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryBoards

extension APIHandler {
    func boards(_ call: RouteCall) async throws -> Response {
        let entries = await boardFiles.entries()
        return Self.json { text in
            text.object { text in
                text.member("folder", boardFiles.folder.path)
                text.member("boards") { $0.array(entries) { $0.append(summary: $1) } }
            }
        }
    }

    func alerts(_ call: RouteCall) async throws -> Response {
        let alerts = await monitor.snapshot()
        return Self.json { $0.append(alerts) }
    }

    /// Mutes or acknowledges an alert.
    func changeAlert(_ call: RouteCall) async throws -> Response {
        guard call.request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw APIFailure(.unsupportedMediaType, "expected the content type application/json")
        }
        let body = try await call.request.bytes(atMost: 1_024, of: "a change of an alert")
        let longest = AlertCare.longestMute
        guard let change = try? JSONDecoder().decode(AlertChange.self, from: body),
            (0...longest).contains(change.muteSeconds ?? 0)
        else {
            throw APIFailure(.badRequest, "expected muteSeconds from 0 to \(longest), or acknowledged")
        }
        let id = AlertName(board: call.id, alert: call.values.last ?? "")
        let changed = await monitor.change(
            id, muteSeconds: change.muteSeconds, isAcknowledged: change.acknowledged)
        guard let changed else { throw APIFailure(.notFound, "no alert \(id.alert.prefix(80)) on this board") }
        return Self.json { $0.append(changed) }
    }

    func board(_ call: RouteCall) async throws -> Response {
        guard let entry = await boardFiles.entry(call.id) else {
            throw APIFailure(BoardLibrary.Refusal.notFound, id: call.id, folder: boardFiles.folder)
        }
        if call.request.headers[.ifNoneMatch] == entry.tag {
            return Response(status: .notModified, headers: [.eTag: entry.tag])
        }
        return try response(entry)
    }

    func saveBoard(_ call: RouteCall) async throws -> Response {
        do {
            return try await save(call.id, call.request)
        } catch let refusal as BoardLibrary.Refusal {
            throw APIFailure(refusal, id: call.id, folder: boardFiles.folder)
        }
    }

    func removeBoard(_ call: RouteCall) async throws -> Response {
        do {
            try await boardFiles.remove(call.id, version: call.request.headers[.ifMatch])
            return Response(status: .noContent)
        } catch let refusal as BoardLibrary.Refusal {
            throw APIFailure(refusal, id: call.id, folder: boardFiles.folder)
        }
    }

    /// Takes a board as JSON, or a whole file as YAML.
    private func save(_ id: String, _ request: Request) async throws -> Response {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/json" || type == "application/yaml" else {
            throw APIFailure(
                .unsupportedMediaType, "expected the content type application/json or application/yaml")
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
            let (entry, isNew) = try await boardFiles.save(id, version: request.headers[.ifMatch], text: source)
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

/// A change of an alert. What is absent stays.
private struct AlertChange: Decodable {
    let muteSeconds: Int64?
    let acknowledged: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case muteSeconds, acknowledged
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        muteSeconds = try members.decodeIfPresent(Int64.self, forKey: .muteSeconds)
        acknowledged = try members.decodeIfPresent(Bool.self, forKey: .acknowledged)
    }
}

extension APIFailure {
    fileprivate init(_ refusal: BoardLibrary.Refusal, id: String, folder: URL) {
        switch refusal {
        case .invalidID:
            self.init(
                .badRequest, "expected a name of at most 64 characters of a-z, 0-9 and -, found \(id.prefix(80))")
        case .tooMany: self.init(.conflict, "there are \(BoardLibrary.limit) boards; delete one")
        case .notFound: self.init(.notFound, "no file \(id.prefix(80)).yaml in the folder of the boards")
        case .needsVersion:
            self.init(
                .init(code: 428, reasonPhrase: "Precondition Required"),
                "there is a board \(id); send If-Match with the ETag of the version that you changed")
        case .changed:
            self.init(
                .preconditionFailed, "the board \(id) was changed meanwhile; load it again and repeat the change")
        case .unwritable: self.init(.internalServerError, "the folder \(folder.path) cannot be written")
        }
    }
}
