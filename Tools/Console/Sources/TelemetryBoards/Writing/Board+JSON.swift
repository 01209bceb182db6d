package import Foundation
import TelemetryQuery

/// The JSON form, with the keys of the file.
extension Board: Encodable {
    private enum Key: CodingKey {
        case title, description, time, variables, panels, alerts
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(time.text, forKey: .time)
        if !variables.isEmpty { try container.encode(variables, forKey: .variables) }
        if !panels.isEmpty { try container.encode(panels, forKey: .panels) }
        if !alerts.isEmpty { try container.encode(alerts, forKey: .alerts) }
    }

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension BoardVariable: Encodable {
    private enum Key: CodingKey {
        case name, field, value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(BoardText.field(field), forKey: .field)
        try container.encodeIfPresent(value, forKey: .value)
    }
}

extension BoardPanel: Encodable {
    private enum Key: String, CodingKey {
        case title, note, query, `as`, funnel, flow, objective, width
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(note, forKey: .note)
        try container.encode(width, forKey: .width)
        switch content {
        case .query(let query, let form):
            try container.encode(query.text, forKey: .query)
            try container.encode(form.rawValue, forKey: .as)
        case .funnel(let funnel): try container.encode(funnel, forKey: .funnel)
        case .flow(let flow): try container.encode(flow, forKey: .flow)
        case .objective(let objective): try container.encode(objective, forKey: .objective)
        }
    }
}

extension Flow: Encodable {
    private enum Key: CodingKey {
        case field, by
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(BoardText.field(field), forKey: .field)
        try container.encode(by.journeyKey, forKey: .by)
    }
}

extension Objective: Encodable {
    private enum Key: CodingKey {
        case query, target, window, webhook, format
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(query.text, forKey: .query)
        try container.encode(targetText, forKey: .target)
        try container.encode(TimeRange.text(ofDuration: window), forKey: .window)
        try container.encodeIfPresent(webhook?.text, forKey: .webhook)
        try container.encodeIfPresent(webhook?.format, forKey: .format)
    }
}

extension AlertRule: Encodable {
    private enum Key: String, CodingKey {
        case name, note, query, above, below, window, every, `for`, webhook, format
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(note, forKey: .note)
        try container.encode(query.text, forKey: .query)
        let isAbove = if case .above = threshold { true } else { false }
        try container.encode(thresholdText, forKey: isAbove ? .above : .below)
        try container.encode(TimeRange.text(ofDuration: window), forKey: .window)
        try container.encode(TimeRange.text(ofDuration: interval), forKey: .every)
        try container.encode(times, forKey: .for)
        try container.encodeIfPresent(webhook?.text, forKey: .webhook)
        try container.encodeIfPresent(webhook?.format, forKey: .format)
    }
}
