import AstrolabePlatform
import AstrolabePolicyDocument
import Foundation

/// The files of remote policy in the SDK's folder: the last good document, and the requests that were carried out.
struct PolicyStore: Sendable {
    private let documentFile: String
    private let requestFile: String

    /// The most requests that are remembered.
    static let requestLimit = 500

    init(in directory: URL) {
        documentFile = directory.appendingPathComponent("remote-policy").path
        requestFile = directory.appendingPathComponent("remote-policy-requests").path
    }

    /// A document as it is stored: with its signature, which is verified again, and the server's hash.
    struct Stored: Equatable {
        var offer: PolicyOffer
        /// The hash by which the server knows the offer.
        var serverHash: [UInt8]
    }

    /// The stored document; `nil` if there is none, or if the file is damaged.
    var document: Stored? {
        let most = 1 + 255 + PolicyOffer.signatureSize + PolicyDocument.sizeLimit
        guard let bytes = (try? PrivateFile(existing: documentFile))?.read(most + 1), bytes.count <= most,
            let hashSize = bytes.first
        else { return nil }
        let rest = bytes.dropFirst().dropFirst(Int(hashSize))
        guard rest.count > PolicyOffer.signatureSize else { return nil }
        return Stored(
            offer: PolicyOffer(
                document: Array(rest.dropFirst(PolicyOffer.signatureSize)),
                signature: Array(rest.prefix(PolicyOffer.signatureSize))),
            serverHash: Array(bytes.dropFirst().prefix(Int(hashSize))))
    }

    func store(_ stored: Stored) {
        let hash = stored.serverHash.prefix(255)
        // If it cannot be stored, it holds for this run.
        try? PrivateFiles.replace(
            documentFile, with: [UInt8(hash.count)] + hash + stored.offer.signature + stored.offer.document)
    }

    /// When each request was carried out, in seconds since 1970, by the hash of its id.
    var requests: [String: Int64] {
        // A line has at most 20 digits of the time and 32 of the hash.
        guard let bytes = (try? PrivateFile(existing: requestFile))?.read(Self.requestLimit * 54) else { return [:] }
        var requests: [String: Int64] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let time = Int64(parts[0]), time >= 0 { requests[String(parts[1])] = time }
        }
        return requests
    }

    /// Stores the requests, the latest ones if there are too many.
    func store(_ requests: [String: Int64]) {
        let latest = requests.sorted { $0.value > $1.value }.prefix(Self.requestLimit)
        let text = latest.map { "\($0.value) \($0.key)\n" }.joined()
        // If they cannot be stored, the next start may carry them out again.
        try? PrivateFiles.replace(requestFile, with: Array(text.utf8))
    }
}
