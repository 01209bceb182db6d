import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// Records what the system measured of the app as metrics, each payload once.
///
/// A payload is known by its period. The periods are kept in a file, because it can come again to another process. A
/// period is stored before its metrics are recorded: a kill in between loses them, and does not double them.
final class SystemMetricsRecorder: Sendable {
    /// Periods that are remembered: a month of daily payloads.
    private static let limit = 31

    private struct Period: Equatable {
        let begin: UInt64
        let end: UInt64
    }

    private let core: RecordingCore
    private let path: String
    /// Payloads that begin before are of a time in which the user refused.
    private let since: UInt64
    /// `nil` until they are needed, so that a start does not read the file. Held during I/O on purpose: of two changes
    /// at once, the file must have both.
    private let periods = Locked<[Period]?>(nil, isHeldDuringIO: true)

    /// - Parameters:
    ///   - directory: That of the run files.
    ///   - since: Nanoseconds since 1970. Payloads that begin before are not recorded.
    init(core: RecordingCore, directory: String, since: UInt64 = 0) {
        self.core = core
        self.since = since
        path = directory + "/exits"
    }

    func record(_ report: SystemMetrics) {
        let metrics = report.metrics
        let period = Period(begin: report.period.lowerBound, end: report.period.upperBound)
        guard period.begin >= since, !metrics.isEmpty, isFirst(period) else { return }
        for metric in metrics { core.record(metric, scope: HealthRecorder.scope) }
    }

    private func isFirst(_ period: Period) -> Bool {
        periods.withLock { periods in
            let known = periods ?? stored
            guard !known.contains(period) else {
                periods = known
                return false
            }
            let latest = (known + [period]).suffix(Self.limit)
            periods = Array(latest)
            let text = latest.map { "\($0.begin)\t\($0.end)\n" }.joined()
            // Otherwise the payload counts again if it comes to another process.
            try? PrivateFiles.replace(path, with: Array(text.utf8))
            return true
        }
    }

    private var stored: [Period] {
        // A file that cannot be read counts as empty.
        let bytes = (try? PrivateFile(existing: path))?.read(4_096) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let times = line.split(separator: "\t").compactMap { UInt64($0) }
            guard times.count == 2, times[0] <= times[1] else { return nil }
            return Period(begin: times[0], end: times[1])
        }
    }
}

extension SystemMetrics {
    /// One metric for each thing that was measured and is not 0.
    fileprivate var metrics: [MetricData] {
        [
            exits, sum(MetricName.appCPUTime, "CPU time of the app.", "s", cpuTime),
            sum(MetricName.appDiskWritten, "Bytes that the app wrote to files.", "By", diskWritten), memory,
            histogram(MetricName.appLaunchDuration, "Cold starts, until the first frame.", launches),
            histogram(MetricName.appHangDuration, "Hangs of the main thread.", hangs),
        ]
        .compactMap { $0 }
    }

    /// A point for each state and reason that occurred.
    private var exits: MetricData? {
        let points = [("foreground", foregroundExits), ("background", backgroundExits)].flatMap { state, counts in
            ExitReason.allCases.compactMap { reason -> NumberPoint? in
                guard let count = counts[reason], count > 0 else { return nil }
                var attributes: Attributes = [
                    AttributeKey.astrolabeExitState: state, AttributeKey.astrolabeExitReason: reason.rawValue,
                ]
                attributes.merge(version)
                return point(.int(Int64(count)), attributes)
            }
        }
        guard !points.isEmpty else { return nil }
        return MetricData(
            name: MetricName.appExits, description: "Exits of the app that the system counted.", unit: "{exit}",
            data: .sum(points, temporality: .delta, isMonotonic: true))
    }

    private var memory: MetricData? {
        guard let peakMemory, peakMemory > 0 else { return nil }
        return MetricData(
            name: MetricName.appMemoryPeak, description: "The most memory that the app had.", unit: "By",
            data: .gauge([point(.double(peakMemory), version)]))
    }

    private func sum(_ name: String, _ description: String, _ unit: String, _ value: Double?) -> MetricData? {
        guard let value, value > 0, value.isFinite else { return nil }
        return MetricData(
            name: name, description: description, unit: unit,
            data: .sum([point(.double(value), version)], temporality: .delta, isMonotonic: true))
    }

    /// The system's buckets have gaps, which become empty buckets. The sum of the durations is not known.
    private func histogram(_ name: String, _ description: String, _ buckets: [Bucket]) -> MetricData? {
        let filled = buckets.filter { $0.count > 0 && $0.lower >= 0 && $0.lower < $0.upper && $0.upper.isFinite }
        guard !filled.isEmpty else { return nil }
        let bounds = Set(filled.flatMap { [$0.lower, $0.upper] }).ordered(by: <)
        var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        // A bucket of OTLP is named by its upper bound.
        for bucket in filled {
            if let index = bounds.firstIndex(of: bucket.upper) { counts[index] += UInt64(bucket.count) }
        }
        let point = HistogramPoint(
            attributes: version, startTimeUnixNano: period.lowerBound, timeUnixNano: period.upperBound,
            count: counts.reduce(0, +), sum: nil, min: nil, max: nil, bucketCounts: counts, explicitBounds: bounds)
        return MetricData(
            name: name, description: description, unit: "s", data: .histogram([point], temporality: .delta))
    }

    private func point(_ value: MetricNumber, _ attributes: Attributes) -> NumberPoint {
        NumberPoint(
            attributes: attributes, startTimeUnixNano: period.lowerBound, timeUnixNano: period.upperBound,
            value: value)
    }

    private var version: Attributes {
        var attributes = Attributes()
        if !appVersion.isEmpty { attributes[AttributeKey.serviceVersion] = .string(appVersion) }
        if !appBuild.isEmpty { attributes[AttributeKey.astrolabeAppBuildNumber] = .string(appBuild) }
        return attributes
    }
}
