import ConsoleAccess
import HTTPTypes

/// The sender of records, for HTTP and gRPC alike.
///
/// A request is refused before its body is read if its key is not right. It is refused as a whole if the key is not for
/// the service of one of its resources. The sender can then send the same records with another key.
package struct RecordSender: Sendable {
    private let key: AccessKey?
    private let access: AccessControl
    private let address: ClientAddress
    /// The consoles that have forwarded the request.
    let hops: ForwardingHops

    /// The account under which the sender shares in the console's work.
    var account: String { address.account(of: key) }

    /// - Parameters:
    ///   - headers: The headers of the request, or the metadata of the gRPC call.
    ///   - peer: The address of the connection; `nil` without a network connection.
    init(_ headers: HTTPFields, peer: String?, access: AccessControl) throws(AccessRefusal) {
        address = RequestClient(headers, peer: peer).address
        key = try access.admit(PresentedKey.header(headers), for: .ingest, from: address)
        self.access = access
        hops = ForwardingHops(headers)
    }

    /// Checks the `service.name` of each resource; `nil` stands for one without.
    func check(_ services: [String?]) throws(AccessRefusal) {
        try access.check(services, permittedBy: key, from: address)
    }
}
