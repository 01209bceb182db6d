import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Symbolication

/// Records releases, and lists them.
///
///     POST /api/v1/releases    {"service.version":"2.1.0","vcs.ref.head.revision":"6f1d0c2…","builds":["…"]}
///     GET /api/v1/releases     {"releases":[{"service.version":"2.1.0","timeUs":1790000000000000}]}
struct ReleaseHandler: Sendable {
    let file: ReleaseMarkerFile

    private static let longestBody = 16_384
    private static let keys = [
        ReleaseMarker.Key.service, ReleaseMarker.Key.version, ReleaseMarker.Key.build, ReleaseMarker.Key.commit,
        ReleaseMarker.Key.repository,
    ]

    /// The key that the build number had once, and its refusal. It is the key of a build ID.
    private static let formerBuildKey = "app.build_id"
    private static let formerBuild = APIFailure(
        .badRequest, "\(formerBuildKey): expected the build number as \(ReleaseMarker.Key.build)")

    /// The parameters of an upload that name its release. The former key has a refusal of its own.
    static let parameters = keys + [formerBuildKey]

    /// The fields of a request beside the facts.
    private struct Report: Decodable {
        let time: String?
        let builds: [String]?
    }

    /// Lists the releases of a time, newest first.
    func list(_ query: QueryReader) async throws -> Response {
        let times = try query.times()
        let limit = Int(try query.number("limit", within: 1...2_000) ?? 200)
        let markers = try await Self.answering { () async throws(ReleaseMarkerError) in try await file.markers() }
            .filter { marker in
                times.map { $0.contains(marker.time * 1_000_000_000) } ?? true
            }
        var text = JSONText()
        text.object { $0.member("releases") { $0.array(markers.prefix(limit)) { $0.append($1) } } }
        return Response(json: text)
    }

    /// Records the release in the body of a request.
    ///
    /// - Returns: The response, and the release's version, for the audit log.
    func record(_ request: Request) async throws -> (response: Response, version: String) {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw APIFailure(.unsupportedMediaType, "expected the content type application/json")
        }
        let body = try await request.bytes(atMost: Self.longestBody, of: "a release")
        guard let members = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let report = try? JSONDecoder().decode(Report.self, from: body)
        else {
            throw APIFailure(.badRequest, "expected a JSON object such as {\"service.version\": \"2.1.0\"}")
        }
        var facts: [String: String] = [:]
        if members[Self.formerBuildKey] != nil { throw Self.formerBuild }
        for (key, value) in members where key != "time" && key != "builds" {
            guard Self.keys.contains(key), let text = value as? String else {
                let known = (Self.keys + ["time", "builds"]).joined(separator: ", ")
                let found = key.prefix(100).debugDescription
                throw APIFailure(.badRequest, "\(found): expected a text for one of \(known)")
            }
            facts[key] = text
        }
        let marker = try await record(facts, time: report.time, builds: report.builds ?? [])
        var text = JSONText()
        text.append(marker)
        return (Response(json: text), marker.version)
    }

    /// Records the release that an upload of symbols names, if it names one.
    func record(_ query: QueryReader, builds: [BuildID]) async throws {
        if query.text(Self.formerBuildKey) != nil { throw Self.formerBuild }
        var facts: [String: String] = [:]
        for key in Self.keys { facts[key] = query.text(key) }
        guard !facts.isEmpty else { return }
        _ = try await record(facts, time: nil, builds: builds.map(\.hex))
    }

    private func record(_ facts: [String: String], time: String?, builds: [String]) async throws -> ReleaseMarker {
        let now = Int64(Date().timeIntervalSince1970)
        let ids = try builds.map { text in
            guard let id = BuildID(text) else {
                throw APIFailure(.badRequest, "builds: expected build IDs in hexadecimal digits")
            }
            return id
        }
        var moment = now
        if let time {
            guard let date = try? Date(time, strategy: .iso8601),
                (0...Double(now + 86_400)).contains(date.timeIntervalSince1970)
            else {
                throw APIFailure(.badRequest, "time: expected a time such as 2026-11-25T17:00:00Z, not in the future")
            }
            moment = Int64(date.timeIntervalSince1970)
        }
        return try await Self.answering { () async throws(ReleaseMarkerError) in
            let marker = try ReleaseMarker(facts, time: moment, builds: ids)
            return try await file.record(marker, hasTime: time != nil)
        }
    }

    /// Turns an error of the file into a response.
    private static func answering<Value>(
        _ body: () async throws(ReleaseMarkerError) -> Value
    ) async throws(APIFailure) -> Value {
        do throws(ReleaseMarkerError) {
            return try await body()
        } catch {
            switch error {
            case .invalid: throw APIFailure(.badRequest, "\(error)")
            case .unreadable: throw APIFailure(.internalServerError, "the file of the releases is damaged")
            case .unwritable: throw APIFailure(.unwritable, "the releases cannot be written; the disk may be full")
            }
        }
    }
}

extension JSONText {
    mutating func append(_ marker: ReleaseMarker) {
        object { text in
            if !marker.service.isEmpty { text.member("service.name", marker.service) }
            text.member("service.version", marker.version)
            if !marker.build.isEmpty { text.member("astrolabe.app.build_number", marker.build) }
            if !marker.commit.isEmpty { text.member("vcs.ref.head.revision", marker.commit) }
            if !marker.repository.isEmpty { text.member("vcs.repository.url.full", marker.repository) }
            text.member("timeUs", marker.time * 1_000_000)
            text.member("builds") { $0.array(marker.builds) { $0.append($1.hex) } }
        }
    }
}
