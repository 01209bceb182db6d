import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension RowBinaryReader {
    /// Reads the attributes of a record or resource.
    ///
    /// The exporter stores texts. A number, truth value, list or map is restored for the attributes that the pages
    /// compute with, such as the stacks of a crash and the nodes of a replay.
    mutating func attributes() throws -> Attributes {
        Attributes(
            uniqueElements: try texts().map { key, text in
                Attributes.Element(key: key, value: Self.isComputedWith(key) ? Self.value(text) : .string(text))
            })
    }

    private static let numbers: Set<String> = [
        "http.response.status_code", "http.status_code", "http.request.body.size", "http.response.body.size",
        "server.port", "code.line.number", "thread.id",
    ]

    private static func isComputedWith(_ key: String) -> Bool {
        numbers.contains(key) || key.hasPrefix("app.jank.")
            || (key.hasPrefix("astrolabe.") && !key.hasSuffix(".id") && !key.hasSuffix("uid"))
    }

    private static func value(_ text: String) -> AttributeValue {
        switch (text, QueryValue.number(in: text)) {
        case ("true", _): .bool(true)
        case ("false", _): .bool(false)
        case (_, .int(let int)): .int(int)
        case (_, .double(let double)): .double(double)
        case _ where text.hasPrefix("[") || text.hasPrefix("{"): JSONText.value(in: text) ?? .string(text)
        default: .string(text)
        }
    }
}
