/// Parts of texts of the system, whose separators are ASCII. `split` compares characters, which takes longer than the
/// rest of reading a file of the kernel.
extension Substring {
    /// The parts between separators, without empty ones.
    package func parts(where isSeparator: (UInt8) -> Bool) -> [Substring] {
        utf8.split(whereSeparator: isSeparator).map { Substring($0) }
    }

    /// The parts between blanks and tabs.
    package var words: [Substring] { parts { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}

extension String {
    /// The lines that are not empty.
    package var lines: [Substring] { self[...].parts { $0 == UInt8(ascii: "\n") } }

    /// The parts between blanks and tabs.
    package var words: [Substring] { self[...].words }
}
