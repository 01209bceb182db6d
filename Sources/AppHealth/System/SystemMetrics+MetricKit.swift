#if canImport(MetricKit) && os(iOS)
import Foundation
import MetricKit

extension SystemMetrics {
    /// Reads a payload; `nil` if its period is not one.
    init?(_ payload: MXMetricPayload) {
        // Beyond ten billion seconds, nanoseconds do not fit.
        func nanoseconds(_ date: Date) -> UInt64 {
            UInt64(min(max(0, date.timeIntervalSince1970), 1e10)) * 1_000_000_000
        }
        let (begin, end) = (nanoseconds(payload.timeStampBegin), nanoseconds(payload.timeStampEnd))
        guard begin <= end else { return nil }
        self.init(period: begin...end)
        if !payload.includesMultipleApplicationVersions {
            appVersion = payload.latestApplicationVersion
            appBuild = payload.metaData?.applicationBuildVersion ?? ""
        }
        if let exits = payload.applicationExitMetrics {
            foregroundExits = Self.counts(exits.foregroundExitData)
            backgroundExits = Self.counts(exits.backgroundExitData)
        }
        cpuTime = payload.cpuMetrics?.cumulativeCPUTime.converted(to: .seconds).value
        peakMemory = payload.memoryMetrics?.peakMemoryUsage.converted(to: .bytes).value
        diskWritten = payload.diskIOMetrics?.cumulativeLogicalWrites.converted(to: .bytes).value
        launches = Self.buckets(payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw)
        hangs = Self.buckets(payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime)
    }

    private static func buckets(_ histogram: MXHistogram<UnitDuration>?) -> [Bucket] {
        guard let histogram else { return [] }
        return histogram.bucketEnumerator.compactMap { $0 as? MXHistogramBucket<UnitDuration> }.map { bucket in
            Bucket(
                lower: bucket.bucketStart.converted(to: .seconds).value,
                upper: bucket.bucketEnd.converted(to: .seconds).value, count: bucket.bucketCount)
        }
    }

    private static func counts(_ data: MXForegroundExitData) -> [ExitReason: Int] {
        [
            .normal: data.cumulativeNormalAppExitCount,
            .abnormal: data.cumulativeAbnormalExitCount,
            .watchdog: data.cumulativeAppWatchdogExitCount,
            .memoryResourceLimit: data.cumulativeMemoryResourceLimitExitCount,
            .badAccess: data.cumulativeBadAccessExitCount,
            .illegalInstruction: data.cumulativeIllegalInstructionExitCount,
        ]
    }

    private static func counts(_ data: MXBackgroundExitData) -> [ExitReason: Int] {
        [
            .normal: data.cumulativeNormalAppExitCount,
            .abnormal: data.cumulativeAbnormalExitCount,
            .watchdog: data.cumulativeAppWatchdogExitCount,
            .memoryResourceLimit: data.cumulativeMemoryResourceLimitExitCount,
            .badAccess: data.cumulativeBadAccessExitCount,
            .illegalInstruction: data.cumulativeIllegalInstructionExitCount,
            .memoryPressure: data.cumulativeMemoryPressureExitCount,
            .suspendedWithLockedFile: data.cumulativeSuspendedWithLockedFileExitCount,
            .backgroundTaskAssertionTimeout: data.cumulativeBackgroundTaskAssertionTimeoutExitCount,
            .cpuResourceLimit: data.cumulativeCPUResourceLimitExitCount,
        ]
    }
}
#endif
