import AstrolabeTelemetryModel
import Foundation

/// The system's own report of a crash or a hang: an `MXCrashDiagnostic` or `MXHangDiagnostic` of MetricKit.
struct SystemDiagnostic: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// `signal` is 0 if the system does not name one; `exception` is Mach's type, such as 1 for `EXC_BAD_ACCESS`.
        case crash(signal: Int32, exception: Int32)
        case hang(seconds: Double)
    }

    var kind: Kind
    /// The period of the payload, in nanoseconds since 1970.
    var period: ClosedRange<UInt64>
    /// Empty if unknown.
    var appVersion = ""
    var appBuild = ""
    var osVersion = ""
    var exceptionCode: Int64?
    var terminationReason: String?
    var memoryRegion: String?
    /// The system's call stacks as JSON text.
    var callStacks: String?
    /// The same for each delivery of this diagnostic.
    var id = ""
}

extension SystemDiagnostic {
    /// Bytes of call stacks that are kept. Longer ones are left out, because a part is no JSON.
    static let callStackLimit = 32_768

    /// Reads the JSON representation of an `MXDiagnosticPayload`; what it does not understand is left out.
    static func read(_ payload: Data) -> [SystemDiagnostic] {
        guard let object = try? JSONSerialization.jsonObject(with: payload) as? [String: Any] else { return [] }
        let end = time(object["timeStampEnd"]) ?? time(object["timeStampBegin"])
        guard let end, let begin = time(object["timeStampBegin"]) ?? .some(end), begin <= end else { return [] }
        func entries(_ key: String) -> [[String: Any]] { object[key] as? [[String: Any]] ?? [] }
        let crashes = entries("crashDiagnostics").compactMap { entry in
            read(entry, period: begin...end) { data in
                .crash(signal: number(data["signal"]) ?? 0, exception: number(data["exceptionType"]) ?? 0)
            }
        }
        let hangs = entries("hangDiagnostics").compactMap { entry in
            read(entry, period: begin...end) { data in seconds(data["hangDuration"]).map { .hang(seconds: $0) } }
        }
        return crashes + hangs
    }

    private static func read(
        _ entry: [String: Any], period: ClosedRange<UInt64>, kind: ([String: Any]) -> Kind?,
    ) -> SystemDiagnostic? {
        guard let data = entry["diagnosticMetaData"] as? [String: Any], let kind = kind(data) else { return nil }
        func text(_ key: String) -> String? { data[key] as? String }
        var diagnostic = SystemDiagnostic(kind: kind, period: period)
        diagnostic.appVersion = text("appVersion") ?? ""
        diagnostic.appBuild = text("appBuildVersion") ?? ""
        diagnostic.osVersion = text("osVersion") ?? ""
        diagnostic.exceptionCode = number(data["exceptionCode"])
        diagnostic.terminationReason = text("terminationReason")
        diagnostic.memoryRegion = text("virtualMemoryRegionInfo")
        diagnostic.callStacks = entry["callStackTree"].flatMap { json($0) }.flatMap {
            $0.utf8.count <= callStackLimit ? $0 : nil
        }
        diagnostic.id = id(of: (json(entry) ?? "") + "\(period.upperBound)")
        return diagnostic
    }

    private static func json(_ value: Any) -> String? {
        guard JSONSerialization.isValidJSONObject(value),
            let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private static func number<Integer: FixedWidthInteger>(_ value: Any?) -> Integer? {
        (value as? NSNumber).map { Integer(clamping: $0.int64Value) }
    }

    /// A duration such as `20 sec` or `1,5 min`, in the format of MetricKit's measurements.
    private static func seconds(_ value: Any?) -> Double? {
        if let number = value as? NSNumber { return number.doubleValue }
        guard let parts = (value as? String)?.split(whereSeparator: { $0.isWhitespace }), let first = parts.first,
            let number = Double(first.replacingOccurrences(of: ",", with: "."))
        else { return nil }
        switch parts.dropFirst().first {
        case "ms": return number / 1_000
        case "min": return number * 60
        case "hr": return number * 3_600
        default: return number
        }
    }

    /// A time such as `2026-11-22 10:15:30`, in UTC.
    private static func time(_ value: Any?) -> UInt64? {
        guard let text = value as? String else { return nil }
        let numbers = text.split(whereSeparator: { !$0.isNumber }).prefix(6).compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let parts = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        // Later times are no times of a report, and their nanoseconds would not fit.
        guard let seconds = calendar.date(from: parts)?.timeIntervalSince1970, seconds > 0, seconds < 1e10 else {
            return nil
        }
        return UInt64(seconds) * 1_000_000_000
    }

    /// 32 digits from the text: two FNV-1a hashes.
    private static func id(of text: String) -> String {
        func hash(_ start: UInt64) -> String {
            var hash = start
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return hash(0xCBF2_9CE4_8422_2325) + hash(0x9E37_79B9_7F4A_7C15)
    }
}
