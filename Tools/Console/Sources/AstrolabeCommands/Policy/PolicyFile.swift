import AstrolabePolicyDocument
import Foundation

/// A document of remote policy that a command reads, and its faults.
struct PolicyFile {
    let path: String
    let bytes: [UInt8]
    let reading: PolicyDocument.Reading

    /// The file cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ path: String) throws {
        // One more than a document may have, so that the linter says that it is too large.
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: PolicyDocument.sizeLimit + 1)
        else { throw Failure(description: "cannot read \(path); expected a policy in JSON") }
        try? handle.close()
        self.init(path: path, bytes: Array(data))
    }

    /// - Parameter path: The name for messages.
    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        reading = PolicyDocument.read(bytes)
    }

    /// The document.
    ///
    /// - Throws: All of its faults, one on each line.
    func document() throws -> PolicyDocument {
        guard let document = reading.document else { throw Failure(description: faults) }
        return document
    }

    /// The faults, one on each line, each with the name of the file.
    var faults: String { reading.findings.map { "\(path): \($0)" }.joined(separator: "\n") }
}

extension PolicyDocument {
    /// The document in one line.
    var summary: String {
        let end = Date(timeIntervalSince1970: Double(expires)).formatted(.iso8601)
        return "version \(version) of \(app), expires \(end), hash \(hash)"
    }
}
