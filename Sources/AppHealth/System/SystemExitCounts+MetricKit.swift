#if canImport(MetricKit) && os(iOS)
import Foundation
import MetricKit

extension SystemExitCounts {
    /// Reads the exit counts of a payload; `nil` if it has none.
    init?(_ payload: MXMetricPayload) {
        guard let exits = payload.applicationExitMetrics else { return nil }
        // Beyond ten billion seconds, nanoseconds do not fit.
        func nanoseconds(_ date: Date) -> UInt64 {
            UInt64(min(max(0, date.timeIntervalSince1970), 1e10)) * 1_000_000_000
        }
        let (begin, end) = (nanoseconds(payload.timeStampBegin), nanoseconds(payload.timeStampEnd))
        guard begin <= end else { return nil }
        let isOneVersion = !payload.includesMultipleApplicationVersions
        self.init(
            period: begin...end, foreground: Self.counts(exits.foregroundExitData),
            background: Self.counts(exits.backgroundExitData),
            appVersion: isOneVersion ? payload.latestApplicationVersion : "",
            appBuild: isOneVersion ? payload.metaData?.applicationBuildVersion ?? "" : "", )
    }

    private static func counts(_ data: MXForegroundExitData) -> [Reason: Int] {
        [
            .normal: data.cumulativeNormalAppExitCount,
            .abnormal: data.cumulativeAbnormalExitCount,
            .watchdog: data.cumulativeAppWatchdogExitCount,
            .memoryResourceLimit: data.cumulativeMemoryResourceLimitExitCount,
            .badAccess: data.cumulativeBadAccessExitCount,
            .illegalInstruction: data.cumulativeIllegalInstructionExitCount,
        ]
    }

    private static func counts(_ data: MXBackgroundExitData) -> [Reason: Int] {
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
