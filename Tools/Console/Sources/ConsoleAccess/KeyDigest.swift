/// The hash of keys, SHA-256, by which a file knows them without their texts.
///
/// `ConsoleTransports` has the one of swift-crypto.
package struct KeyDigest: Sendable {
    private let hash: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter hash: SHA-256.
    package init(_ hash: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.hash = hash
    }

    func callAsFunction(_ key: KeyText) -> [UInt8] { hash(Array(key.text.utf8)) }
}
