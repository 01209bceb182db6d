extension CollectionPolicy {
    /// The effects of the remote document in a mode.
    func remoteReasons(in mode: TelemetryMode) -> [PolicyReason] {
        guard let remote else { return [] }
        var effects: [PolicyReason.Effect] = []
        if !remote.off.isEmpty || !remote.offScopes.isEmpty {
            let instruments = Instrument.allCases.filter(remote.off.contains).map(\.rawValue)
            effects.append(.off(instruments + Array(remote.offScopes).sorted()))
        }
        if remote.recordsInFull, remote.fixedRate(in: mode) == 1 {
            effects.append(.recordInFull)
        } else if let rate = remote.samplingRates[mode], rate != configuration.samplingRates[mode] {
            effects.append(.rate(rate))
        }
        if let interval = remote.flushIntervals[mode], interval != configuration.flushIntervals[mode] {
            effects.append(.flush(every: interval))
        }
        if let admission = remote.admission, admission != configuration.admission {
            effects.append(.admission(admission))
        }
        if remote.triggers != RemoteTriggers() { effects.append(.triggers) }
        return effects.map { PolicyReason(.remote(version: remote.version), $0) }
    }
}

extension RemotePolicy {
    /// The share of sessions that no condition of the device changes; `nil` if there is none.
    func fixedRate(in mode: TelemetryMode) -> Double? {
        if turnsOff(.spans) { return 0 }
        return recordsInFull && mode > .minimal ? 1 : nil
    }

    /// The share of sessions in a mode, before the factors of the device's conditions; `nil` if it is the app's.
    package func rate(in mode: TelemetryMode) -> Double? { fixedRate(in: mode) ?? samplingRates[mode] }
}

extension PolicyConfiguration {
    /// The configuration with the values that a remote document names.
    func following(_ remote: RemotePolicy) -> PolicyConfiguration {
        var configuration = self
        configuration.samplingRates = samplingRates.replaced(by: remote.samplingRates)
        configuration.flushIntervals = flushIntervals.replaced(by: remote.flushIntervals)
        configuration.admission = remote.admission ?? admission
        return configuration
    }
}

extension ModeTable {
    fileprivate func replaced(by other: ModeTable<Value?>) -> ModeTable {
        ModeTable(
            full: other.full ?? full, normal: other.normal ?? normal, reduced: other.reduced ?? reduced,
            minimal: other.minimal ?? minimal)
    }
}
