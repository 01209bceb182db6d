import AstrolabePlatform
public import AstrolabeTelemetryModel
public import Foundation

extension SpanEvent {
    /// When it happened.
    public var time: Date {
        get { Date(nanosecondsSince1970: timeUnixNano) }
        set { timeUnixNano = UInt64(nanosecondsSince1970: newValue) }
    }

    /// Creates an event.
    public init(name: String, time: Date, attributes: Attributes = [:]) {
        self.init(name: name, timeUnixNano: UInt64(nanosecondsSince1970: time), attributes: attributes)
    }
}
