import Foundation

// On Linux an app imports this module as OSLog.

/// Writes messages to standard output, each with its level, subsystem and category.
public struct Logger: Sendable {
    private let origin: String

    public init() {
        origin = ""
    }

    public init(subsystem: String, category: String) {
        origin = "[\(subsystem):\(category)] "
    }

    public init(_ log: OSLog) {
        origin = log.origin
    }

    public func log(_ message: OSLogMessage) { write(.default, message) }
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
    public func trace(_ message: OSLogMessage) { write(.debug, message) }
    public func debug(_ message: OSLogMessage) { write(.debug, message) }
    public func info(_ message: OSLogMessage) { write(.info, message) }
    public func notice(_ message: OSLogMessage) { write(.default, message) }
    public func warning(_ message: OSLogMessage) { write(.error, message) }
    public func error(_ message: OSLogMessage) { write(.error, message) }
    public func critical(_ message: OSLogMessage) { write(.fault, message) }
    public func fault(_ message: OSLogMessage) { write(.fault, message) }

    private func write(_ level: OSLogType, _ message: OSLogMessage) {
        let line = "\(level.name) \(origin)\(message.text)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}

/// The level of a message.
public struct OSLogType: Hashable, Sendable {
    let name: String

    public static let `default` = OSLogType(name: "Default")
    public static let info = OSLogType(name: "Info")
    public static let debug = OSLogType(name: "Debug")
    public static let error = OSLogType(name: "Error")
    public static let fault = OSLogType(name: "Fault")
}

/// A log in the form before iOS 14.
public final class OSLog: Sendable {
    public static let `default` = OSLog(origin: "")
    public static let disabled = OSLog(origin: "")

    let origin: String

    private init(origin: String) {
        self.origin = origin
    }

    public convenience init(subsystem: String, category: String) {
        self.init(origin: "[\(subsystem):\(category)] ")
    }
}

/// Writes a message whose `%@`, `%{public}@`, `%d` and `%s` are replaced by the arguments.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func os_log(
    _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: any CVarArg...,
) {
    var parts = "\(message)".split(separator: "%", omittingEmptySubsequences: false).map(String.init)
    guard log !== OSLog.disabled else { return }
    var text = parts.removeFirst()
    for (part, argument) in zip(parts, arguments) {
        let rest = part.replacing(#/^(\{[^}]*\})?(\.\d+)?(l|ll|z)?[@a-zA-Z]/#, with: "")
        text += "\(argument)" + rest
    }
    Logger(log).log(level: type, "\(text, privacy: .public)")
}
