#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps the input at hand, so that one that ends or blocks the process is found in a file afterwards.
///
/// A trap raises a signal; its handler may call only what is safe there: `open`, `write`, `close`, `_exit`.
enum LastInput {
    /// After this many seconds with one input, it counts as blocking.
    static let timeout: UInt32 = 30

    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?  // set once, before any input is read
    nonisolated(unsafe) private static var bytes: UnsafeMutableRawPointer?  // read by the handler on the same thread
    nonisolated(unsafe) private static var count = 0  // read by the handler on the same thread
    nonisolated(unsafe) private static var capacity = 0  // used by one thread alone

    /// Writes the input to `file` where the process dies of it, or where it takes longer than ``timeout``.
    static func keep(in file: String) {
        path = strdup(file)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGALRM] {
            signal(number) { number in
                LastInput.write()
                _exit(128 + number)
            }
        }
    }

    static func begin(_ input: [UInt8]) {
        if input.count > capacity {
            bytes?.deallocate()
            capacity = input.count * 2
            bytes = .allocate(byteCount: capacity, alignment: 16)
        }
        input.withUnsafeBytes { raw in
            if let source = raw.baseAddress { bytes?.copyMemory(from: source, byteCount: raw.count) }
        }
        count = input.count
        alarm(timeout)
    }

    private static func write() {
        guard let path, let bytes else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { return }
        var written = 0
        while written < count {
            #if canImport(Glibc)
            let more = Glibc.write(file, bytes + written, count - written)
            #else
            let more = Darwin.write(file, bytes + written, count - written)
            #endif
            guard more > 0 else { break }
            written += more
        }
        close(file)
    }
}
