import AstrolabePlatform
import Testing

/// Conversion of configured seconds to nanoseconds.
@Suite struct NanosecondsTests {
    @Test func `seconds of every kind convert to nanoseconds`() {
        let most: UInt64 = 1_000_000_000_000_000_000
        let cases: [(Double, UInt64)] = [
            (0, 0), (0.25, 250_000_000), (3_600, 3_600_000_000_000), (-1, 0), (.nan, 0), (-.infinity, 0),
            (.infinity, most), (9.3e18, most), (.greatestFiniteMagnitude, most),
            (.leastNonzeroMagnitude, 0),
        ]
        for (seconds, nanoseconds) in cases {
            #expect(UInt64(nanosecondsIn: seconds) == nanoseconds, "\(seconds)")
        }
    }
}
