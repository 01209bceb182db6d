public import AstrolabePolicyDocument
public import Foundation

/// Settings of remote policy: the server of its documents, the key that signs them, and the most that they may ask for.
///
///     configuration.remotePolicy = RemotePolicyConfiguration(endpoint: url, publicKey: key)
///
/// The SDK asks the server by OpenTelemetry's protocol OpAMP over HTTP. It asks after the first successful delivery, at
/// a return to the foreground, and after an interval with a delivery. It does not ask in the background, or without
/// consent. A document that is not signed, has expired, is older than the last one, or asks for more than ``bounds``
/// changes nothing.
public struct RemotePolicyConfiguration: Sendable {
    /// The address of the OpAMP server, such as `https://console.example/v1/opamp`.
    public var endpoint: URL
    /// Headers of its requests, such as a key. Default none; those of the telemetry's endpoint are not sent.
    public var headers: [String: String]
    /// The 32 bytes of the Ed25519 key that signs documents.
    public var publicKey: [UInt8]
    /// The most that a document may ask for. Default: less collection, triggers and kill switches.
    public var bounds = RemotePolicyBounds()
    /// The time between two requests while the app is in use. Default 4 hours; at least a minute, at most a week. Each
    /// is up to a fifth shorter or longer.
    public var interval: Duration = .seconds(14_400)
    /// Verifies a signature. Default `nil`: by CryptoKit. Without CryptoKit, as on Linux, no document is followed
    /// unless the app gives a function. It returns true if the signature of 64 bytes is the key's over exactly these
    /// bytes.
    public var isValidSignature: (@Sendable (_ signature: [UInt8], _ document: [UInt8], _ publicKey: [UInt8]) -> Bool)?

    /// Creates settings with the default bounds.
    public init(endpoint: URL, publicKey: [UInt8], headers: [String: String] = [:]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.headers = headers
    }
}
