import AstrolabeDeviceConditions
import ViewTree

extension Scenario.Action {
    /// True if the step has a meaning in virtual time only.
    var needsVirtualTime: Bool {
        switch self {
        case .advance, .clock, .accounted, .requests, .waited: true
        case .collector(let update): update.delay > 0 || update.bytesPerSecond != nil
        default: false
        }
    }

    /// The text for the step in a table of hours; `nil` for none.
    var note: String? {
        switch self {
        case .collector(let update): "\(update)"
        case .set(let update): update.note
        case .clock(let seconds):
            "clock \(seconds < 0 ? "-" : "+")\(Account.clock(abs(seconds)))"
        case .perform(let action) where action != .launch: action.rawValue
        case .launch(let kind): "\(kind.word) at launch"
        case .touch(.tap, let control, _): control.name
        default: nil
        }
    }
}

extension PhoneSettingsUpdate {
    fileprivate var note: String? {
        var parts: [String] = []
        if let network { parts.append(network.rawValue) }
        if let batteryLevel { parts.append("battery \(Int((batteryLevel * 100).rounded())) %") }
        if let isCharging { parts.append(isCharging ? "charging" : "unplugged") }
        if let isLowPower { parts.append(isLowPower ? "Low Power Mode" : "no Low Power Mode") }
        if let thermal { parts.append("thermal \(thermal.rawValue)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
