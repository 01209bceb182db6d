package import Foundation

/// A file of a test's folder with the expected text.
package struct SnapshotFile {
    /// Set to anything but 0 to write the snapshots again.
    static let variable = "ASTROLABE_RECORD_SNAPSHOTS"

    package let url: URL

    /// - Parameter path: Absolute, or from the folder of the test's source file.
    package init(_ path: String, source: StaticString) {
        url =
            URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: "\(source)").deletingLastPathComponent())
            .absoluteURL
    }

    package static var isRecording: Bool {
        !["", "0"].contains(ProcessInfo.processInfo.environment[variable] ?? "")
    }

    /// Compares a text with the file's, or writes the file.
    ///
    /// - Returns: What is wrong; `nil` if the text is as expected, or was written because `isRecording` is set.
    package func check(_ text: String, isRecording: Bool = SnapshotFile.isRecording) -> String? {
        let text = text + "\n"
        do {
            if isRecording {
                try write(text)
                return nil
            }
            guard FileManager.default.fileExists(atPath: url.path) else {
                try write(text)
                return """
                    Recorded the snapshot \(url.path), which did not exist. Check it, add it to the repository and run \
                    the test again:
                    \(text)
                    """
            }
            let expected = try String(contentsOf: url, encoding: .utf8).replacingOccurrences(of: "\r\n", with: "\n")
            guard expected != text else { return nil }
            return """
                The trace differs from the snapshot \(url.path). Lines with - are missing, lines with + are new. If the \
                new trace is right, run the test with \(Self.variable)=1.
                \(LineDifference.text(from: Self.lines(expected), to: Self.lines(text)))
                """
        } catch {
            return "Cannot read or write the snapshot \(url.path): \(error.localizedDescription)"
        }
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
