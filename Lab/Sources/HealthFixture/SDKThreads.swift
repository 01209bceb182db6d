import Foundation

/// The threads of the SDK in this process. Linux only; elsewhere none.
enum SDKThreads {
    /// A name that begins with "astrolabe", or the name of the program, which a thread inherits if it gets none.
    static var names: [String] { all.filter(isOfSDK) }

    /// The names of the other threads, without the main thread's.
    static var others: [String] { all.filter { !isOfSDK($0) } }

    private static func isOfSDK(_ name: String) -> Bool { name.hasPrefix("astrolabe") || name == program }

    private static let folder = "/proc/self/task"

    private static var program: String { name(of: String(ProcessInfo.processInfo.processIdentifier)) }

    private static var all: [String] {
        let main = String(ProcessInfo.processInfo.processIdentifier)
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.filter { $0 != main }.map(name).filter { !$0.isEmpty }
    }

    private static func name(of thread: String) -> String {
        let name = (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }
}
