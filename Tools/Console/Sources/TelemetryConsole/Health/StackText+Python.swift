import Foundation

/// Stacks of Python, whose innermost frame is the last.
extension StackText {
    static let pythonHead = "Traceback (most recent call last):"

    /// Announces the traceback of an error that another one caused. The first of the two is the cause.
    private static let pythonCause = "The above exception was the direct cause of the following exception:"

    /// Returns the frames of a traceback, innermost first. An error that was raised while another one was handled has
    /// two tracebacks, of which its own, the last, counts.
    static func pythonFrames(_ text: String) -> [Frame] {
        var frames: [Frame] = []
        for line in text.split(whereSeparator: \.isNewline) {
            // Groups of exceptions are indented with bars.
            let words = line.prefix(lineLimit).drop { " \t|+".contains($0) }
            if words.hasPrefix(pythonCause) { break }
            if words.hasPrefix(pythonHead) {
                frames = []
            } else if let frame = pythonFrame(words) {
                frames.append(frame)
            }
        }
        return Array(frames.reversed().prefix(frameLimit))
    }

    /// Reads a line such as `File "/srv/shop/pay.py", line 12, in confirm`.
    private static func pythonFrame(_ line: Substring) -> Frame? {
        guard line.hasPrefix("File \""), let end = line.range(of: "\", line ") else { return nil }
        let path = line[..<end.lowerBound].dropFirst(6)
        let rest = line[end.upperBound...]
        let name = rest.range(of: ", in ").map { rest[$0.upperBound...] } ?? ""
        let file = String(path.split(separator: "/").last ?? path)
        return Frame(
            name: name.isEmpty ? file : String(name), file: file,
            line: Int(rest.prefix { ("0"..."9").contains($0) }) ?? 0,
            isPlatform: pythonFolders.contains { path.contains($0) })
    }

    /// Parts of the paths of the standard library and of installed packages.
    private static let pythonFolders = ["/site-packages/", "/dist-packages/", "/lib/python", "<frozen "]
}
