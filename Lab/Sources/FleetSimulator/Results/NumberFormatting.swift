import Foundation

/// Number formatting for the table.
enum NumberFormatting {
    /// Formats an integer with digits in groups of three: 1,234,567.
    static func count(_ number: Int) -> String {
        var digits = Array(String(abs(number)))
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: position)
            position -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// Formats seconds with suitable units: 0.12 s, 34 s, 2 min 05 s, 3 h 10 min, 24 h.
    static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: return decimal(seconds, 2) + " s"
        case ..<60: return decimal(seconds, 0) + " s"
        case ..<3_600:
            let whole = Int(seconds.rounded())
            return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(pad(whole % 60)) s")
        default:
            let minutes = Int((seconds / 60).rounded())
            return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(pad(minutes % 60)) min")
        }
    }

    static func bytes(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: decimal(Double(bytes) / 1e3, 1) + " kB"
        case ..<1_000_000_000: decimal(Double(bytes) / 1e6, 1) + " MB"
        default: decimal(Double(bytes) / 1e9, 2) + " GB"
        }
    }

    /// Formats a share in percent. A share that would round to 0 is shown as less than the smallest shown value.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        let share = 100 * Double(part) / Double(whole)
        if part > 0, share < 0.01 { return "< 0.01 %" }
        return decimal(share, share < 1 ? 2 : 1) + " %"
    }

    static func decimal(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
