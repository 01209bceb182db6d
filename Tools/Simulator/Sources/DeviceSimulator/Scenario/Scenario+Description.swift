// What was wanted, as a failure tells it.

extension ScreenExpectation: CustomStringConvertible {
    package var description: String {
        let place = identifier ?? "the screen"
        let what = text.map { "\(place) with the text \"\($0)\"" } ?? place
        return isAbsent ? "\(what) to be gone" : what
    }
}

extension NumberExpectation: CustomStringConvertible {
    package var description: String {
        let text = number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : String(number)
        return relation == .equal ? text : "\(relation.rawValue) \(text)"
    }
}

extension StatusExpectation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .mode(let mode): "mode: \(mode)"
        case .upload(let upload): "upload: \(upload)"
        case .waiting(let wish): "waiting: \(wish)"
        case .queued(let wish): "queued: \(wish)"
        case .dropped(let wish): "dropped: \(wish)"
        case .delivered(let wish): "delivered: \(wish)"
        case .balanced(let flag): "balanced: \(flag)"
        case .screen(let name): "screen: \(name)"
        }
    }
}

extension TelemetryExpectation: CustomStringConvertible {
    package var description: String {
        var parts = ["\(kind.rawValue): \(name)", "count: \(count)"]
        if let service { parts.append("service: \(service)") }
        if let status { parts.append("status: \(status)") }
        parts += attributes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return parts.joined(separator: ", ")
    }
}

extension AppEnd.Kind {
    /// As a scenario writes it.
    var word: String {
        switch self {
        case .exit: "exit"
        case .signal: "crash"
        case .killed: "kill"
        }
    }
}
