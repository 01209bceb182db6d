/// Why a run of the app ended, and the evidence for it.
package struct RunEnding: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Normally: by `Telemetry.shutdown`, by the system's notification, or by `exit`.
        case clean
        case crash
        /// While the main thread was unresponsive: by the system or by the user.
        case hang
        /// By the system because of low memory, or by the user: the two cannot be distinguished.
        case killedInForeground = "killed_in_foreground"
        case killedInBackground = "killed_in_background"
        case appUpdate = "app_update"
        case systemUpdate = "system_update"
        case reboot
    }

    package var reason: Reason
    package var evidence: [String]

    /// Whether the end interrupted the user.
    var isFailure: Bool {
        switch reason {
        case .crash, .hang, .killedInForeground: true
        case .clean, .killedInBackground, .appUpdate, .systemUpdate, .reboot: false
        }
    }
}

/// The facts known about the end of a run.
package struct RunEvidence: Hashable, Sendable {
    /// The signal's name; `nil` if the run did not crash.
    package var crash: String?
    package var isClean = false
    /// Seconds that the main thread had been unresponsive when the run was last seen; `nil` if it responded.
    package var hang: Double?
    package var isInBackground = false
    package var run: RunIdentity
    /// Free memory of the device in bytes when last measured; 0 if unknown.
    package var freeMemory: UInt64 = 0

    package init(run: RunIdentity) {
        self.run = run
    }

    /// Returns the reason, from the strongest evidence to the weakest.
    ///
    /// First comes what the run stored, then what has changed since. Otherwise the process was killed.
    ///
    /// - Parameter next: The current run.
    package func ending(before next: RunIdentity) -> RunEnding {
        if let crash { return RunEnding(reason: .crash, evidence: ["the \(crash) handler recorded the crash"]) }
        if isClean { return RunEnding(reason: .clean, evidence: ["the run ended normally"]) }
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
                reason: .appUpdate, evidence: ["the app was updated from \(run.appVersion) to \(next.appVersion)"], )
        }
        if Self.differ(run.appBuild, next.appBuild) {
            return RunEnding(
                reason: .appUpdate, evidence: ["the app was updated from build \(run.appBuild) to \(next.appBuild)"], )
        }
        let place = isInBackground ? "the app was in the background" : "the app was in the foreground"
        return RunEnding(
            reason: isInBackground ? .killedInBackground : .killedInForeground, evidence: [place] + killed, )
    }

    private var killed: [String] {
        let memory = freeMemory > 0 ? ["\(freeMemory / 1_048_576) MiB of memory was free"] : []
        return ["neither a crash nor a normal end was recorded"] + memory
    }

    /// Whether two known values differ; unknown values are empty and never differ.
    private static func differ(_ left: String, _ right: String) -> Bool {
        !left.isEmpty && !right.isEmpty && left != right
    }
}
