/// Ed25519 (RFC 8032), by which policies are signed.
///
/// `ConsoleTransports` has the one of swift-crypto.
package struct PolicySigning: Sendable {
    /// Returns a new private key of 32 bytes.
    package let makeKey: @Sendable () -> [UInt8]
    /// Returns the public key of 32 bytes; `nil` for what is no private key.
    package let publicKey: @Sendable (_ privateKey: [UInt8]) -> [UInt8]?
    /// Returns the signature of 64 bytes; `nil` for what is no private key.
    package let sign: @Sendable (_ bytes: [UInt8], _ privateKey: [UInt8]) -> [UInt8]?

    package init(
        makeKey: @escaping @Sendable () -> [UInt8],
        publicKey: @escaping @Sendable (_ privateKey: [UInt8]) -> [UInt8]?,
        sign: @escaping @Sendable (_ bytes: [UInt8], _ privateKey: [UInt8]) -> [UInt8]?,
    ) {
        self.makeKey = makeKey
        self.publicKey = publicKey
        self.sign = sign
    }
}
