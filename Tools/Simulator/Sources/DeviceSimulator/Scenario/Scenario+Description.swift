// How a failure message describes what a step waited for.

extension ScreenExpectation: CustomStringConvertible {
    package var description: String {
        let what =
            switch (identifier, text) {
            case (let identifier?, let text?): "\"\(identifier)\" with the text \"\(text)\""
            case (let identifier?, nil): "\"\(identifier)\""
            case (nil, let text?): "the text \"\(text)\""
            case (nil, nil): "a screen"
            }
        return isAbsent ? "\(what) to disappear" : what
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
        case .waiting(let expectation): "waiting: \(expectation)"
        case .queued(let expectation): "queued: \(expectation)"
        case .dropped(let expectation): "dropped: \(expectation)"
        case .delivered(let expectation): "delivered: \(expectation)"
        case .recorded(let expectation): "recorded: \(expectation)"
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

extension CollectorUpdate: CustomStringConvertible {
    package var description: String {
        var parts: [String] = []
        switch response {
        case .works: break
        case .status(let status, nil): parts.append("\(status)")
        case .status(let status, let seconds?): parts.append("\(status), retry after \(seconds) s")
        case .page: parts.append("portal's page")
        case .redirect: parts.append("portal's redirect")
        case .losesRequest: parts.append("requests lost")
        case .losesResponse: parts.append("responses lost")
        case .kills: parts.append("killed while sending")
        }
        if delay > 0 { parts.append("\(NumberExpectation(.equal, delay)) s delay") }
        if let bytesPerSecond { parts.append("\(Int(bytesPerSecond)) B/s") }
        return parts.isEmpty ? "collector works" : parts.joined(separator: ", ")
    }
}

extension AppEnd.Kind {
    /// The name in a scenario file.
    var word: String {
        switch self {
        case .exit: "exit"
        case .signal: "crash"
        case .killed: "kill"
        }
    }
}
