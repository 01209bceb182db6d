import ConsoleAccess
import Foundation
import HTTPTypes
import ServerSupport

/// The client that sent a request, and whether the way to it is encrypted.
struct RequestClient {
    let address: ClientAddress
    let isEncrypted: Bool

    /// - Parameters:
    ///   - headers: The headers of the request, or the metadata of a gRPC call.
    ///   - peer: The address of the connection; `nil` without a network connection.
    ///   - isEncrypted: Whether the console itself has a certificate.
    init(_ headers: HTTPFields, peer: String?, isEncrypted: Bool = false) {
        let peer = peer ?? "unknown"
        let proxy = RequestOrigin.isLoopback(peer)
        // A proxy on this machine appends the address that it sees. Everyone else could write anything.
        let forwarded = proxy ? headers[values: Self.forwardedFor].last : nil
        let client = forwarded?.split(separator: ",").last?.trimmingCharacters(in: .whitespaces)
        address = ClientAddress(client.flatMap { $0.isEmpty ? nil : $0 } ?? peer)
        let scheme = proxy ? headers[Self.forwardedProto]?.lowercased() : nil
        self.isEncrypted = isEncrypted || scheme == "https"
    }

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .from
    private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .from
}

extension ClientAddress {
    /// The account that shares in the console's work: the key and the host, because an app's key is in all of its
    /// copies.
    func account(of key: AccessKey?) -> String { "\(key?.id ?? "") \(host)" }
}
