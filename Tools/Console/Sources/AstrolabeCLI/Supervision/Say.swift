import Foundation

/// Writes a line for a person at once, also where the output is a pipe that `print` would let wait.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
