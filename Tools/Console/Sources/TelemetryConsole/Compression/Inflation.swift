import AstrolabeGzip

/// Decompresses a body that arrives in parts, up to a limit.
///
///     for part in parts { try inflation.add(part) { bytes in try file.write(bytes) } }
///     try inflation.end()
protocol Inflation: AnyObject {
    /// Decompresses the next part.
    ///
    /// - Parameter write: Called with each piece of output, at most 64 KiB.
    /// - Throws: An ``InflationError``, or what `write` throws.
    func add(_ part: UnsafeRawBufferPointer, write: ([UInt8]) throws -> Void) throws

    /// Checks that the input was complete.
    func end() throws
}

/// An error of an ``Inflation``. Its description is for the sender.
protocol InflationError: Error, CustomStringConvertible {
    /// True if the output is longer than the limit.
    var isOverLimit: Bool { get }
}

extension GzipInflation: Inflation {}

extension GzipError: InflationError {
    var isOverLimit: Bool { if case .limitExceeded = self { true } else { false } }
}
