#if os(Linux)
import BenchmarkSubjects

/// The cost of a change of one row in a long list, on the stand-in for SwiftUI.
///
/// It is the time of the update, of the patch, and of its application at the other end of the link.
enum ListRows {
    private static let count = 1_000
    /// The time of a frame, in nanoseconds.
    private static let frame = 1e9 / 60

    static func measure() -> [Row] {
        MainActor.assumeIsolated {
            ListSubject.Kind.allCases.map { kind in
                var subject: ListSubject?
                let clock = ContinuousClock()
                let whole = clock.measure { subject = ListSubject(kind, rows: count) }.nanoseconds
                let one = Measurement.of(count: 10, rounds: 5) { subject?.change() }.nanoseconds
                return Row(
                    name: "change of one row of \(count), with \(kind.name)", figure: Report.ms(one),
                    target: "under \(Report.ms(frame))", isMet: one < frame,
                    alternative: "the list made, and scrolled to its end: \(Report.ms(whole))")
            }
        }
    }
}
#endif
