import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// Records the system's counts of exits as the metric `astrolabe.app.exits`, each payload once.
///
/// A payload is known by its period. The periods are kept in a file, because it can come again to another process. A
/// period is stored before its counts are recorded: a kill in between loses the counts, and does not double them.
final class SystemExitRecorder: Sendable {
    /// Periods that are remembered: a month of daily payloads.
    private static let limit = 31

    private let core: RecordingCore
    private let path: String
    /// `nil` until they are needed, so that a start does not read the file.
    private let periods = Locked<[ClosedRange<UInt64>]?>(nil)

    /// - Parameter directory: That of the run files.
    init(core: RecordingCore, directory: String) {
        self.core = core
        path = directory + "/exits"
    }

    func record(_ counts: SystemExitCounts) {
        let points = counts.points
        guard !points.isEmpty, isFirst(counts.period) else { return }
        core.record(
            MetricData(
                name: MetricName.appExits, description: "Exits of the app that the system counted.", unit: "{exit}",
                data: .sum(points, temporality: .delta, isMonotonic: true), ),
            scope: HealthRecorder.scope, )
    }

    private func isFirst(_ period: ClosedRange<UInt64>) -> Bool {
        periods.withLock { periods in
            let known = periods ?? stored
            guard !known.contains(period) else {
                periods = known
                return false
            }
            let latest = (known + [period]).suffix(Self.limit)
            periods = Array(latest)
            let text = latest.map { "\($0.lowerBound)\t\($0.upperBound)\n" }.joined()
            try? PrivateFiles.replace(path, with: Array(text.utf8))
            return true
        }
    }

    private var stored: [ClosedRange<UInt64>] {
        let bytes = (try? PrivateFile(existing: path))?.read(4_096) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let times = line.split(separator: "\t").compactMap { UInt64($0) }
            guard times.count == 2, times[0] <= times[1] else { return nil }
            return times[0]...times[1]
        }
    }
}

extension SystemExitCounts {
    /// A point for each reason that occurred.
    fileprivate var points: [NumberPoint] {
        [("foreground", foreground), ("background", background)].flatMap { state, counts in
            Reason.allCases.compactMap { reason in
                guard let count = counts[reason], count > 0 else { return nil }
                return NumberPoint(
                    attributes: attributes(state: state, reason), startTimeUnixNano: period.lowerBound,
                    timeUnixNano: period.upperBound, value: .int(Int64(count)), )
            }
        }
    }

    private func attributes(state: String, _ reason: Reason) -> Attributes {
        var attributes: Attributes = [
            AttributeKey.astrolabeExitState: state, AttributeKey.astrolabeExitReason: reason.rawValue,
        ]
        if !appVersion.isEmpty { attributes[AttributeKey.serviceVersion] = .string(appVersion) }
        if !appBuild.isEmpty { attributes[AttributeKey.appBuildID] = .string(appBuild) }
        return attributes
    }
}
