import AstrolabeTelemetryModel

extension Breadcrumb {
    /// The breadcrumb as a JSON object in at most `limit` bytes: where it is longer, first the attributes are left out
    /// and then the end of the message. `nil` where not even that is enough.
    ///
    ///     {"time":"2026-11-21T08:50:00.123Z","category":"tap","message":"Place Order","attributes":{"items":3}}
    func json(limit: Int) -> String? {
        let whole = json(message: message, with: attributes)
        if whole.utf8.count <= limit { return whole }
        var length = message.utf8.count
        while true {
            let cut = json(message: message.truncated(toUTF8: length), with: Attributes())
            if cut.utf8.count <= limit { return cut }
            guard length > 0 else { return nil }
            length /= 2
        }
    }

    private func json(message: String, with attributes: Attributes) -> String {
        var text = "{\"time\":\"\(UTCTime(timeUnixNano))\",\"category\":"
        text.appendJSON(category)
        text += ",\"message\":"
        text.appendJSON(message)
        if !attributes.isEmpty {
            text += ",\"attributes\":{"
            for (index, element) in attributes.enumerated() {
                if index > 0 { text += "," }
                text.appendJSON(element.key)
                text += ":"
                text.appendJSON(element.value)
            }
            text += "}"
        }
        return text + "}"
    }
}

/// The SDK's one JSON writer, for one small object: the console's `JSONText` lies in a package that apps do not link.
extension String {
    /// JSON knows no infinite number and none that is not a number: those are texts.
    fileprivate mutating func appendJSON(_ value: AttributeValue) {
        switch value {
        case .bool, .int: self += value.description
        case .double(let number) where number.isFinite: self += value.description
        case .empty, .string, .double, .bytes, .array, .map: appendJSON(value.description)
        }
    }

    fileprivate mutating func appendJSON(_ text: String) {
        self += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": self += "\\\""
            case "\\": self += "\\\\"
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case _ where scalar.value < 0x20: self += "\\u00" + String(scalar.value | 0x100, radix: 16).dropFirst()
            default: unicodeScalars.append(scalar)
            }
        }
        self += "\""
    }
}
