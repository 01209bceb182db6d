import Foundation

/// The private key by which policies are signed: PKCS #8 in PEM (RFC 8410), which only its owner may read.
///
/// `openssl genpkey -algorithm ed25519` writes the same.
struct PolicyKeyFile {
    let path: String

    /// The reason not to use a file.
    enum Failure: Error, Hashable, CustomStringConvertible {
        case exists(String)
        case unwritable(String)
        case missing(String)
        case isReadableByOthers(String, mode: Int)
        case noKey(String)

        var description: String {
            switch self {
            case .exists(let path): "there is a file \(path) already; expected the name of a new one"
            case .unwritable(let path):
                "cannot write \(path); expected a folder that exists and that you may write to"
            case .missing(let path):
                "cannot read \(path); expected a private key, which `astrolabe policy keygen` makes"
            case .isReadableByOthers(let path, let mode):
                "others may read \(path), whose mode is \(String(mode, radix: 8)); run `chmod 600 \(path)`"
            case .noKey(let path): "\(path) has no private key of Ed25519; expected PKCS #8 in PEM"
            }
        }
    }

    /// The bytes before the 32 bytes of the key: a sequence with the version, the algorithm and the key's own header.
    private static let header: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let keySize = 32
    private static let longestFile = 16_384
    private static let firstLine = "-----BEGIN PRIVATE KEY-----"
    private static let lastLine = "-----END PRIVATE KEY-----"

    /// Writes a key to a file that does not exist.
    func create(_ key: [UInt8]) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? Failure.exists(path) : Failure.unwritable(path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let text = "\(Self.firstLine)\n\(Data(Self.header + key).base64EncodedString())\n\(Self.lastLine)\n"
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            unlink(path)
            throw .unwritable(path)
        }
    }

    /// Reads the 32 bytes of the key.
    func read() throws(Failure) -> [UInt8] {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let handle = FileHandle(forReadingAtPath: path)
        else { throw .missing(path) }
        defer { try? handle.close() }
        let mode = (attributes[.posixPermissions] as? Int ?? 0) & 0o777
        guard mode & 0o077 == 0 else { throw .isReadableByOthers(path, mode: mode) }
        guard let data = try? handle.read(upToCount: Self.longestFile) else { throw .missing(path) }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        guard lines.first == Self.firstLine, lines.last == Self.lastLine,
            let content = Data(base64Encoded: lines.dropFirst().dropLast().joined()),
            content.count == Self.header.count + Self.keySize, content.starts(with: Self.header)
        else { throw .noKey(path) }
        return Array(content.suffix(Self.keySize))
    }
}
