import AstrolabePlatform
import Foundation
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

    @Test func `dates convert to nanoseconds since 1970, bounded`() {
        let cases: [(Double, UInt64)] = [
            (0, 0), (-1, 0), (-.infinity, 0), (.nan, 0), (0.25, 250_000_000),
            (1_795_251_000.5, 1_795_251_000_500_000_000), (.infinity, .max), (1e11, .max),
        ]
        for (seconds, nanoseconds) in cases {
            #expect(UInt64(nanosecondsSince1970: Date(timeIntervalSince1970: seconds)) == nanoseconds, "\(seconds)")
        }
    }

    @Test func `a time comes back from its date to a quarter of a microsecond`() {
        for nanoseconds: UInt64 in [
            0, 1, 978_307_200_000_000_001, 1_795_251_000_123_456_789, 4_102_444_800_999_999_999,
        ] {
            let back = UInt64(nanosecondsSince1970: Date(nanosecondsSince1970: nanoseconds))
            #expect(max(back, nanoseconds) - min(back, nanoseconds) <= 250, "\(nanoseconds)")
        }
        #expect(Date(nanosecondsSince1970: 1_795_251_000_500_000_000) == Date(timeIntervalSince1970: 1_795_251_000.5))
    }
}
