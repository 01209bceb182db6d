import AstrolabeWire

/// Bytes that are no message of OpAMP, or too many.
package struct OpAMPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault, as a sentence.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Reads the fields of a message, and throws where the bytes are not what the field has.
///
/// A field of another number is skipped, as protobuf has it. If a field that is not repeated comes twice, the last one
/// counts.
struct OpAMPReader {
    /// The most bytes of a message.
    static let sizeLimit = 262_144

    private var reader: WireReader
    private let message: String

    /// - Parameter message: The name of the message, for errors.
    init(_ bytes: UnsafeRawBufferPointer, _ message: String) throws(OpAMPError) {
        guard bytes.count <= Self.sizeLimit else {
            throw OpAMPError("expected \(message) of at most \(Self.sizeLimit) bytes, found \(bytes.count)")
        }
        reader = WireReader(bytes)
        self.message = message
    }

    /// The next field; `nil` at the end of the message.
    mutating func next() throws(OpAMPError) -> Field? {
        if let (number, value) = reader.next() { return Field(number: number, value: value, message: message) }
        guard reader.isIntact else { throw OpAMPError("expected \(message) in protobuf, found other bytes") }
        return nil
    }

    /// A field and its value.
    struct Field {
        let number: UInt32
        fileprivate let value: WireReader.Value
        fileprivate let message: String

        var integer: UInt64 {
            get throws(OpAMPError) {
                guard case .varint(let number) = value else { throw mismatch("a number") }
                return number
            }
        }

        var fixed64: UInt64 {
            get throws(OpAMPError) {
                guard case .fixed64(let number) = value else { throw mismatch("a fixed64") }
                return number
            }
        }

        /// The bytes of a submessage, valid while the message's are.
        var content: UnsafeRawBufferPointer {
            get throws(OpAMPError) {
                guard case .bytes(let content) = value else { throw mismatch("bytes") }
                return content
            }
        }

        var bytes: [UInt8] {
            get throws(OpAMPError) { Array(try content) }
        }

        var text: String {
            get throws(OpAMPError) { String(decoding: try content, as: UTF8.self) }
        }

        /// An id of 16 bytes, or none.
        var uid: [UInt8] {
            get throws(OpAMPError) {
                let bytes = try bytes
                guard bytes.isEmpty || bytes.count == 16 else {
                    throw OpAMPError("expected 16 bytes of an instance's id in \(message), found \(bytes.count)")
                }
                return bytes
            }
        }

        private func mismatch(_ expected: String) -> OpAMPError {
            OpAMPError("expected \(expected) as field \(number) of \(message)")
        }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes, and throws what it throws.
    func reading<Result>(
        _ body: (UnsafeRawBufferPointer) throws(OpAMPError) -> Result
    ) throws(OpAMPError) -> Result {
        let result = withUnsafeBytes { bytes -> Swift.Result<Result, OpAMPError> in
            do throws(OpAMPError) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

extension WireMessage {
    /// Adds a number that is not the default.
    mutating func number(_ field: UInt32, _ value: UInt64) {
        if value != 0 { varint(field, value) }
    }

    /// Adds a text that is not empty.
    mutating func textIfAny(_ field: UInt32, _ value: String) {
        if !value.isEmpty { text(field, value) }
    }

    /// Adds bytes that are not empty.
    mutating func bytesIfAny(_ field: UInt32, _ value: [UInt8]) {
        if !value.isEmpty { bytes(field, value) }
    }
}
