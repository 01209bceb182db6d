import AstrolabePlatform
import Foundation

/// A file that says which records the app has made, independent of the SDK.
///
/// Each record has two lines, written before and after the call that makes it: `begun` and `made`, the record's number,
/// its kind, the virtual uptime, and the SDK's mode. `Docs/Internals/Accounting.md` describes the format.
final class RecordNotes: Sendable {
    enum Kind: String {
        case span, event, error, critical, debug
    }

    private let file: Int32
    private let lastNumber: Locked<UInt64>
    private let uptime: @Sendable () -> Double

    /// - Throws: An error of the file system.
    init(path: String, uptime: @escaping @Sendable () -> Double) throws {
        // Each record has a line of its own, so the number of lines is a number that none has yet.
        let text = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        lastNumber = Locked(UInt64(text.count { $0 == UInt8(ascii: "\n") }))
        self.uptime = uptime
        file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(file) }

    /// Makes a record between the two lines.
    ///
    /// - Parameter mode: The SDK's mode, which decides what is recorded.
    func note(_ kind: Kind, mode: () -> String, _ make: (_ number: Int64) -> Void) {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        write("begun", number, kind, mode())
        make(Int64(number))
        write("made", number, kind, mode())
    }

    private func write(_ word: String, _ number: UInt64, _ kind: Kind, _ mode: String) {
        var line = Array("\(word) \(number) \(kind.rawValue) \(uptime()) \(mode)\n".utf8)
        let length = line.count
        // One call, so that a kill or another thread never divides a line.
        let written = line.withUnsafeMutableBytes { Foundation.write(file, $0.baseAddress, length) }
        if written != length { exit(3) }
    }
}
