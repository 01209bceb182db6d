import Astrolabe
import Foundation
public import Logging

/// Turns log lines into log records of the current span.
///
/// The message is the record's body, metadata are its attributes, and from `warning` on the place in the code goes
/// along as `code.*`. Levels map to severities; `notice` counts as `info`.
public struct BridgedLogHandler: LogHandler {
    public var logLevel = Logging.Logger.Level.info
    public var metadata = Logging.Logger.Metadata()
    public var metadataProvider: Logging.Logger.MetadataProvider?

    private let events: EventLogger
    private let label: String
    private let mirror: Logging.Logger.Level?

    init(_ events: EventLogger, label: String, mirror: Logging.Logger.Level?) {
        self.events = events
        self.label = label
        self.mirror = mirror
    }

    public subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        var attributes = Attributes()
        for key in all.keys.sorted() { attributes[key] = all[key].map(AttributeValue.init) }
        if event.level >= .warning {
            attributes[AttributeKey.codeFilePath] = .string(event.file)
            attributes[AttributeKey.codeLineNumber] = .int(Int64(event.line))
            attributes[AttributeKey.codeFunctionName] = .string(event.function)
        }
        events.emit(
            "", severity: Severity(event.level), body: .string(event.message.description), attributes: attributes, )
        if let mirror, event.level >= mirror { write(event) }
    }

    private func write(_ event: LogEvent) {
        let line = "[\(label)] \(event.level): \(event.message)\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}

extension Severity {
    init(_ level: Logging.Logger.Level) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info, .notice: self = .info
        case .warning: self = .warn
        case .error: self = .error
        case .critical: self = .fatal
        }
    }
}

extension AttributeValue {
    init(_ value: Logging.Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .stringConvertible(let convertible): self = .string(convertible.description)
        case .array(let values): self = .array(values.map(AttributeValue.init))
        case .dictionary(let entries):
            var map = Attributes()
            for key in entries.keys.sorted() { map[key] = entries[key].map(AttributeValue.init) }
            self = .map(map)
        }
    }
}
