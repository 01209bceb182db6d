import AstrolabeTelemetryModel
import Foundation

extension [SpanData] {
    /// The only span of this name.
    func one(_ name: String) throws -> SpanData {
        let found = filter { $0.name == name }
        guard found.count == 1, let span = found.first else {
            throw NotOne(name: name, count: found.count, names: map(\.name))
        }
        return span
    }

    func parent(of span: SpanData) -> SpanData? {
        first { $0.context.spanID == span.parentSpanID && $0.context.traceID == span.context.traceID }
    }

    /// The names from the root to this span: "tap Place Order > CheckoutViewModel.placeOrder > …".
    func path(to span: SpanData) -> String {
        var names = [span.name]
        var current = span
        while let parent = parent(of: current) {
            names.append(parent.name)
            current = parent
        }
        return names.reversed().joined(separator: " > ")
    }
}

struct NotOne: Error, CustomStringConvertible {
    let name: String
    let count: Int
    let names: [String]

    var description: String { "expected one span \(name), found \(count) among \(names)" }
}

extension SpanData {
    /// The message of the exception that was recorded on it.
    var exceptionMessage: String? {
        events.last { $0.name == "exception" }?.attributes["exception.message"]?.stringValue
    }

    func int(_ key: String) -> Int64? { attributes[key]?.intValue }

    func text(_ key: String) -> String? { attributes[key]?.stringValue }
}
