import CAstrolabeZlib

/// A `z_stream` at a fixed address, as zlib requires, with input of any length and output in chunks.
final class ZlibStream {
    let pointer: UnsafeMutablePointer<z_stream>
    private let chunk: UnsafeMutableRawBufferPointer
    private let pieceLength: Int

    /// The number of input bytes that zlib has consumed.
    private(set) var consumed = 0

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - chunkLength: Bytes of the output buffer. Default 64 KiB.
    ///   - pieceLength: Maximum input bytes passed to zlib in one call. Its counters have 32 bits, so an input of
    ///     several gigabytes must be fed in pieces. Tests use small ones. Default 1 GiB.
    init(chunkLength: Int = 64 << 10, pieceLength: Int = 1 << 30) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: z_stream())
        chunk = .allocate(byteCount: chunkLength, alignment: 16)
        self.pieceLength = pieceLength
    }

    deinit {
        chunk.deallocate()
        pointer.deallocate()
    }

    /// Starts at the beginning of the next input.
    func restart() { consumed = 0 }

    /// Runs `step` (`inflate` or `deflate`) once and appends at most `room` bytes of its output to `output`.
    ///
    /// - Returns: The status of `step`, and whether it produced more than `room` bytes.
    func advance(
        _ input: UnsafeRawBufferPointer, appendingTo output: inout [UInt8], room: Int,
        step: (UnsafeMutablePointer<z_stream>, _ isLastPiece: Bool) -> Int32,
    ) -> (status: Int32, overflowed: Bool) {
        let piece = UnsafeRawBufferPointer(rebasing: input[consumed...].prefix(pieceLength))
        // zlib declares its input pointer mutable on some systems, but never writes through it.
        pointer.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        pointer.pointee.avail_in = UInt32(piece.count)
        pointer.pointee.next_out = chunk.bindMemory(to: UInt8.self).baseAddress
        pointer.pointee.avail_out = UInt32(chunk.count)

        let status = step(pointer, consumed + piece.count == input.count)

        consumed += piece.count - Int(pointer.pointee.avail_in)
        let made = chunk.count - Int(pointer.pointee.avail_out)
        guard made <= room else { return (status, true) }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<made]))
        return (status, false)
    }

    /// zlib's message for the last failure.
    var message: String {
        pointer.pointee.msg.map { String(cString: $0) } ?? "no detail given"
    }
}
