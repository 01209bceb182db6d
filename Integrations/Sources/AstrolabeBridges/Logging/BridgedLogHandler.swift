import Astrolabe
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
public import Logging

/// Turns log lines into log records of the current span.
///
/// The message is the record's body, metadata are its attributes, an error its `exception.type` and
/// `exception.message`, and from `warning` on the place in the code goes along as `code.*`. A number or truth value
/// keeps its type if it is given as `.stringConvertible`. Levels map to severities; `notice` counts as `info`.
/// Everything is redacted as in any record, on standard error too.
public struct BridgedLogHandler: LogHandler {
    public var logLevel = Logging.Logger.Level.info
    public var metadata = Logging.Logger.Metadata()
    public var metadataProvider: Logging.Logger.MetadataProvider?
    /// From this level on a record tells file, line and function as `code.*`. Default `warning`.
    public var sourceLocationLevel = Logging.Logger.Level.warning

    private let events: EventLogger
    private let label: String
    private let mirror: Mirror?

    /// The destination of lines beside the record.
    struct Mirror: Sendable {
        let level: Logging.Logger.Level
        /// Takes one line without its end.
        let write: @Sendable (String) -> Void
    }

    init(_ events: EventLogger, label: String, mirror: Mirror?) {
        self.events = events
        self.label = label
        self.mirror = mirror
    }

    public subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let attributes = attributes(of: event)
        let message = event.message.description
        events.emit("", severity: Severity(event.level), body: .string(message), attributes: attributes)
        if let mirror, event.level >= mirror.level {
            mirror.write(line(level: event.level, message: message, attributes: attributes))
        }
    }

    private func attributes(of event: LogEvent) -> Attributes {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        var attributes = Attributes()
        for key in all.keys.sorted() { attributes[key] = all[key].map(AttributeValue.init) }
        if let error = event.error { attributes.merge(ExceptionDescription(error).attributes) }
        if event.level >= sourceLocationLevel {
            attributes[AttributeKey.codeFilePath] = .string(event.file)
            attributes[AttributeKey.codeLineNumber] = .int(Int64(event.line))
            attributes[AttributeKey.codeFunctionName] = .string(event.function)
        }
        return attributes
    }

    private func line(level: Logging.Logger.Level, message: String, attributes: Attributes) -> String {
        let pairs = attributes.filter { !$0.key.hasPrefix("code.") }.map { element in
            " \(element.key)=\(events.admitted(element.value, key: element.key))"
        }
        return "\(level) [\(label)] \(events.admitted(message))\(pairs.joined())"
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
        case .stringConvertible(let convertible): self.init(typeOf: convertible)
        case .array(let values): self = .array(values.map(AttributeValue.init))
        case .dictionary(let entries):
            var map = Attributes()
            for key in entries.keys.sorted() { map[key] = entries[key].map(AttributeValue.init) }
            self = .map(map)
        }
    }

    /// A truth value or a number keeps its type, for which swift-log has no case. Everything else is text, integers
    /// beyond 64 bits too.
    private init(typeOf convertible: any CustomStringConvertible & Sendable) {
        if let value = convertible as? Bool {
            self = .bool(value)
        } else if let value = convertible as? any BinaryInteger, let number = Int64(exactly: value) {
            self = .int(number)
        } else if let value = convertible as? any BinaryFloatingPoint {
            self = .double(Double(value))
        } else {
            self = .string(convertible.description)
        }
    }
}
