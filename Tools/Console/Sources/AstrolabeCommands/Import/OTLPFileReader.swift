import TelemetryConsole

/// One request of a file that the Collector's file exporter wrote.
struct OTLPFileRequest: Sendable, Equatable {
    /// The number of the line, or of the protobuf message, from 1.
    let number: Int
    let signal: Signal
    let body: [UInt8]
}

/// A line or a message of a file that is no request.
struct OTLPFileError: Error, Equatable {
    let number: Int
    /// The expected input.
    let message: String
}

/// Splits a file of the Collector's file exporter into requests, as its bytes are read.
///
/// Such a file has one JSON object per line, or protobuf messages that each follow their length in four bytes. A
/// protobuf message does not say of which signal it is.
struct OTLPFileReader {
    typealias Element = Result<OTLPFileRequest, OTLPFileError>

    /// The signal of a protobuf file; `nil` for a JSON file.
    let signal: Signal?
    /// The maximum length of a request in bytes.
    let limit: Int

    private var pending: [UInt8] = []
    /// The bytes of `pending` that are no end of a line.
    private var searched = 0
    private var number = 0
    /// True if the rest of a line that is too long, or of a file with a wrong length, is skipped.
    private var isSkipping = false

    init(signal: Signal?, limit: Int = ConsoleConfiguration.Limits().inflatedBytes) {
        self.signal = signal
        self.limit = limit
    }

    /// Returns the requests that are complete with these bytes.
    mutating func receive(_ bytes: [UInt8]) -> [Element] {
        pending += bytes
        return signal.map { readMessages(of: $0) } ?? readLines()
    }

    /// Returns what is left at the end of the file.
    mutating func end() -> [Element] {
        guard let signal else { return isSkipping || pending.isEmpty ? [] : receive([UInt8(ascii: "\n")]) }
        let rest = readMessages(of: signal)
        guard !isSkipping, !pending.isEmpty else { return rest }
        number += 1
        let expected = pending.count < 4 ? "4 bytes of length" : "\(Self.length(pending)) bytes"
        return rest + [
            failure("the file ends inside the message; expected \(expected), found \(max(pending.count - 4, 0))")
        ]
    }

    // MARK: JSON

    private mutating func readLines() -> [Element] {
        var elements: [Element] = []
        var start = 0
        while let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            if isSkipping {
                isSkipping = false
            } else {
                number += 1
                let line = pending[start..<end]
                if line.count > limit || line.contains(where: { !Self.isSpace($0) }) { elements.append(request(line)) }
            }
            start = end + 1
            searched = start
        }
        pending.removeFirst(start)
        searched = pending.count
        if pending.count > limit {
            if !isSkipping {
                number += 1
                elements.append(failureOfLength("at least \(pending.count)"))
            }
            isSkipping = true
        }
        if isSkipping { (pending, searched) = ([], 0) }
        return elements
    }

    private func request(_ line: ArraySlice<UInt8>) -> Element {
        guard line.count <= limit else { return failureOfLength("\(line.count)") }
        guard let key = Self.firstKey(of: line),
            let signal = Signal.allCases.first(where: { $0.requestKeys.contains(key) })
        else {
            let found = String(decoding: line.prefix(40), as: UTF8.self)
            return failure(
                """
                expected an object that starts with "resourceSpans", "resourceLogs" or "resourceMetrics", found \
                \(found.debugDescription); a file of protobuf messages needs --signal
                """)
        }
        return .success(OTLPFileRequest(number: number, signal: signal, body: Array(line)))
    }

    /// The first key of a JSON object, which has no escape in it; `nil` if the text does not start like one.
    private static func firstKey(of line: ArraySlice<UInt8>) -> String? {
        var rest = line.drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
        rest = rest.drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.prefix(64).firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    // MARK: Protobuf

    private mutating func readMessages(of signal: Signal) -> [Element] {
        var elements: [Element] = []
        var start = 0
        while !isSkipping, pending.count - start >= 4 {
            let length = Self.length(pending[start...])
            guard length <= limit else {
                number += 1
                elements.append(failureOfLength("\(length); the rest of the file is not read"))
                isSkipping = true
                break
            }
            guard pending.count - start - 4 >= length else { break }
            number += 1
            let body = Array(pending[(start + 4)..<(start + 4 + length)])
            if !body.isEmpty { elements.append(.success(OTLPFileRequest(number: number, signal: signal, body: body))) }
            start += 4 + length
        }
        pending = isSkipping ? [] : Array(pending[start...])
        return elements
    }

    private static func length(_ bytes: some Collection<UInt8>) -> Int {
        bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: Failures

    private func failure(_ message: String) -> Element {
        .failure(OTLPFileError(number: number, message: message))
    }

    private func failureOfLength(_ found: String) -> Element {
        failure("expected a request of at most \(limit) bytes, found \(found)")
    }
}

extension Signal {
    /// The key of a request's only field in OTLP/JSON, and in protobuf's own JSON.
    fileprivate var requestKeys: [String] {
        switch self {
        case .traces: ["resourceSpans", "resource_spans"]
        case .logs: ["resourceLogs", "resource_logs"]
        case .metrics: ["resourceMetrics", "resource_metrics"]
        // The console reads profiles in protobuf only.
        case .profiles: []
        }
    }
}
