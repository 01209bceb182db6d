public import AstrolabePolicy

/// The most that a remote document may ask of an app.
///
///     var bounds = RemotePolicyBounds()
///     bounds.samplingRates = ModeTable(full: 1, normal: 0.5, reduced: 0.1, minimal: 0)
///     bounds.allowsFullRecording = true
///
/// The default allows less collection than the app has configured, triggers of the flight recorder within the
/// configured budget, and kill switches. A document that asks for more is refused as a whole.
public struct RemotePolicyBounds: Equatable, Sendable {
    /// The largest share of sessions in each mode. Default `nil`: the app's own.
    public var samplingRates: ModeTable<Double>?
    /// The shortest time between two flushes in each mode. Default `nil`: the app's own.
    public var flushIntervals: ModeTable<Duration>?
    /// The records that the modes `reduced` and `minimal` may collect. Default `nil`: the app's own.
    public var admission: PolicyConfiguration.Admission?
    /// The most bytes a day that the flight recorder may send because of a trigger. Default `nil`: the app's own.
    public var dailyBytes: Int?
    /// The most promotions of each trigger in an hour. Default `nil`: the app's own.
    public var limitPerHour: Int?
    /// True if a document may ask an installation to send what its flight recorder has. Default true.
    public var allowsPromotion = true
    /// True if a document may ask an installation to record all sessions for up to a day. Default false: it is for
    /// installations whose users have agreed to it.
    public var allowsFullRecording = false

    /// Creates the default bounds.
    public init() {}

    /// The bounds with the app's own values where they name none.
    ///
    /// - Parameters:
    ///   - configuration: The app's policy.
    ///   - fixedRate: The share of sessions that the app records whatever the policy says; `nil` if there is none.
    ///   - fixedInterval: The app's time between two flushes whatever the policy says; `nil` if there is none.
    ///   - dailyBytes: The app's budget of the flight recorder.
    ///   - limitPerHour: The app's limit of promotions.
    package func filled(
        from configuration: PolicyConfiguration, fixedRate: Double? = nil, fixedInterval: Duration? = nil,
        dailyBytes: Int, limitPerHour: Int,
    ) -> RemotePolicyBounds {
        var bounds = self
        bounds.samplingRates = samplingRates ?? fixedRate.map(ModeTable.init(all:)) ?? configuration.samplingRates
        bounds.flushIntervals =
            flushIntervals ?? fixedInterval.map(ModeTable.init(all:)) ?? configuration.flushIntervals
        bounds.admission = admission ?? configuration.admission
        bounds.dailyBytes = self.dailyBytes ?? dailyBytes
        bounds.limitPerHour = self.limitPerHour ?? limitPerHour
        return bounds
    }
}

extension ModeTable {
    fileprivate init(all value: Value) {
        self.init(full: value, normal: value, reduced: value, minimal: value)
    }
}

extension PolicyDocument {
    /// Finds what the document asks for beyond the bounds. A bound that is `nil` allows everything.
    package func findings(within bounds: RemotePolicyBounds) -> [PolicyFinding] {
        var findings: [PolicyFinding] = []
        for mode in TelemetryMode.allCases {
            if let rate = policy.samplingRates[mode], let most = bounds.samplingRates?[mode], rate > most {
                findings.append(.beyond("$.rates.\(mode.rawValue)", "at most \(most)", "\(rate)"))
            }
            if let time = policy.flushIntervals[mode], let least = bounds.flushIntervals?[mode], time < least {
                findings.append(.beyond("$.flushIntervals.\(mode.rawValue)", "at least \(least)", "\(time)"))
            }
        }
        if policy.admission == .standard, bounds.admission == .strict {
            findings.append(.beyond("$.admission", "strict", "standard"))
        }
        if let bytes = policy.triggers.dailyBytes, let most = bounds.dailyBytes, bytes > most {
            findings.append(.beyond("$.triggers.dailyBytes", "at most \(most)", "\(bytes)"))
        }
        if let count = policy.triggers.limitPerHour, let most = bounds.limitPerHour, count > most {
            findings.append(.beyond("$.triggers.limitPerHour", "at most \(most)", "\(count)"))
        }
        for (index, request) in requests.enumerated() {
            let isAllowed = request.kind == .promote ? bounds.allowsPromotion : bounds.allowsFullRecording
            guard !isAllowed else { continue }
            findings.append(.beyond("$.requests[\(index)].kind", "no such request", request.kind.rawValue))
        }
        return findings
    }
}

extension PolicyFinding {
    fileprivate static func beyond(_ path: String, _ bound: String, _ found: String) -> PolicyFinding {
        PolicyFinding(path, "expected \(bound) within the bounds of the app, found \(found)")
    }
}
