/// Why a run of the app ended, and the evidence for it.
package struct RunEnding: Equatable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Normally: by `Telemetry.shutdown`, by the system's notification, or by `exit`.
        case clean
        case crash
        /// While the main thread was unresponsive: by the system or by the user.
        case hang
        /// By a signal that asks a process to end, or that the app did not handle: `SIGTERM`, `SIGPIPE` and others.
        case signal
        /// Probably by the system, in the foreground: nearly no memory was left when it was last measured.
        case lowMemory = "low_memory"
        /// By the system or by the user. A kill without a warning, such as that of a watchdog, looks the same.
        case killedInForeground = "killed_in_foreground"
        case killedInBackground = "killed_in_background"
        case appUpdate = "app_update"
        case systemUpdate = "system_update"
        case reboot
        /// The run's file could not be read.
        case unknown
    }

    package var reason: Reason
    package var evidence: [String]
    /// The name of the signal, if that is the reason.
    var signal: String?

    /// True if the end interrupted the user.
    var isFailure: Bool {
        switch reason {
        case .crash, .hang, .lowMemory, .killedInForeground: true
        // Others ask the app to end.
        case .signal: signal == "SIGPIPE" || signal == "SIGXCPU"
        case .clean, .killedInBackground, .appUpdate, .systemUpdate, .reboot, .unknown: false
        }
    }
}

/// The facts known about the end of a run.
package struct RunEvidence: Equatable, Sendable {
    /// The signal's name; `nil` if the run did not crash.
    package var crash: String?
    package var isClean = false
    /// True if the process called `exit` or returned from its main function.
    package var hasExited = false
    /// The name of the signal that ended the process and is no crash; `nil` if there was none.
    package var signal: String?
    /// True if all parts of the run's file could be read; `isKnown` if those could from which the reason follows.
    package var isWhole = true
    package var isKnown = true
    /// Seconds that the main thread had been unresponsive when the run was last seen; `nil` if it responded.
    package var hang: Double?
    package var isInBackground = false
    package var run: RunIdentity
    /// Bytes that were free and that the process used when they were last measured; 0 if unknown.
    package var freeMemory: UInt64 = 0
    package var usedMemory: UInt64 = 0

    package init(run: RunIdentity) {
        self.run = run
    }

    /// Returns the reason, from the strongest evidence to the weakest.
    ///
    /// First comes what the run stored, then what has changed since. Otherwise the process was killed.
    ///
    /// - Parameter next: The current run.
    package func ending(before next: RunIdentity) -> RunEnding {
        var ending = reason(before: next)
        if !isWhole { ending.evidence.append("parts of the run's file could not be read") }
        return ending
    }

    private func reason(before next: RunIdentity) -> RunEnding {
        if let crash { return RunEnding(reason: .crash, evidence: ["the \(crash) handler recorded the crash"]) }
        if isClean {
            let exit = hasExited ? ["the process called exit or returned from its main function"] : []
            return RunEnding(reason: .clean, evidence: ["the run ended normally"] + exit)
        }
        if let signal {
            return RunEnding(reason: .signal, evidence: ["\(signal) ended the process"], signal: signal)
        }
        guard isKnown else { return RunEnding(reason: .unknown, evidence: []) }
        if let hang {
            let time = Double(Int(hang * 10)) / 10
            return RunEnding(reason: .hang, evidence: ["the main thread had not responded for \(time) s"] + killed)
        }
        let restart = "the device restarted"
        let hasRestarted = !run.bootID.isEmpty && !next.bootID.isEmpty && run.bootID != next.bootID
        if Self.differ(run.osVersion, next.osVersion) {
            let update = "the system was updated from \(run.osVersion) to \(next.osVersion)"
            return RunEnding(reason: .systemUpdate, evidence: [update] + (hasRestarted ? [restart] : []))
        }
        if hasRestarted { return RunEnding(reason: .reboot, evidence: [restart]) }
        if Self.differ(run.appVersion, next.appVersion) {
            return RunEnding(
                reason: .appUpdate, evidence: ["the app was updated from \(run.appVersion) to \(next.appVersion)"])
        }
        if Self.differ(run.appBuild, next.appBuild) {
            return RunEnding(
                reason: .appUpdate, evidence: ["the app was updated from build \(run.appBuild) to \(next.appBuild)"])
        }
        let place = isInBackground ? "the app was in the background" : "the app was in the foreground"
        let reason: RunEnding.Reason =
            isInBackground ? .killedInBackground : isMemoryLow ? .lowMemory : .killedInForeground
        return RunEnding(reason: reason, evidence: [place] + killed)
    }

    /// True if less memory was free than a busy app allocates between two measurements.
    private var isMemoryLow: Bool { freeMemory > 0 && freeMemory < max(usedMemory / 20, 16 * 1_048_576) }

    private var killed: [String] {
        let memory = freeMemory > 0 ? ["\(freeMemory / 1_048_576) MiB of memory was free"] : []
        return ["neither a crash nor a normal end was recorded"] + memory
    }

    /// Returns true if two known values differ; unknown values are empty and never differ.
    private static func differ(_ left: String, _ right: String) -> Bool {
        !left.isEmpty && !right.isEmpty && left != right
    }
}
