public import Foundation

/// A whole answer to a request.
public struct TracedResponse: Hashable, Sendable {
    /// The status code.
    public let status: Int
    /// `Content-Length` as the server gave it: bytes on the wire, before any decompression.
    package let expectedContentLength: Int?
    /// Bytes of the body on the wire; `nil` if only a part of it, or what it was decompressed to, is known.
    package let wireSize: Int?
    /// `Content-Type` as the server gave it.
    public let contentType: String?
    /// Decompressed, and cut where the limit for answers that are no success was reached; empty for a 204.
    public let body: Data
    /// True if the body is longer than the limit.
    public let isBodyTruncated: Bool

    /// Creates a response, for tests.
    package init(
        status: Int, expectedContentLength: Int? = nil, wireSize: Int? = nil, contentType: String? = nil,
        body: Data = Data(),
        isBodyTruncated: Bool = false,
    ) {
        self.status = status
        self.expectedContentLength = expectedContentLength
        self.wireSize = wireSize
        self.contentType = contentType
        self.body = body
        self.isBodyTruncated = isBodyTruncated
    }

    /// True if the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The beginning of the body as text, at most 2 KiB of it, for an error's description; "(empty)" or
    /// "(312 bytes of image/png)" if it has no text.
    ///
    /// - Parameter redact: Removes secrets. It gets the whole body, and the text is cut afterwards, so that no half of
    ///   a secret stays.
    package func excerpt(redact: (String) -> String) -> String {
        guard !body.isEmpty else { return "(empty)" }
        guard let text = String(data: body, encoding: .utf8) ?? cutText else { return "(\(size))" }
        let clean = redact(text)
        guard clean.utf8.count > Self.excerptLimit || isBodyTruncated else { return clean }
        return clean.prefix(utf8Bytes: Self.excerptLimit) + "… (cut; \(expectedContentLength ?? text.utf8.count) bytes)"
    }

    /// UTF-8 bytes of a body that an excerpt keeps.
    private static let excerptLimit = 2_048

    /// A body that was cut may end within a character.
    private var cutText: String? {
        guard isBodyTruncated else { return nil }
        return (1...3).lazy.compactMap { String(data: body.dropLast($0), encoding: .utf8) }.first
    }

    private var size: String { "\(body.count) bytes of \(contentType ?? "an unknown type")" }
}

/// Nothing that prints an answer prints its body.
extension TracedResponse: CustomStringConvertible, CustomReflectable {
    public var description: String {
        "HTTP \(status) \(HTTPStatus.reasonPhrase(status)), \(body.isEmpty ? "empty" : size)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["status": status, "size": body.count]) }
}

extension String {
    /// At most so many bytes of UTF-8, whole characters alone.
    func prefix(utf8Bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var size = 0
        return String(
            prefix { character in
                size += character.utf8.count
                return size <= limit
            })
    }
}
