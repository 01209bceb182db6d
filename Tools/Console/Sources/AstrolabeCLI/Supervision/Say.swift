import Foundation

/// Writes a line to standard output without buffering, also if standard output is a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
