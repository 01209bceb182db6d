#if os(Linux)
import Astrolabe
import BenchmarkSubjects
import Foundation

/// The cost of view tracing for each evaluation of a screen, on the stand-in for SwiftUI.
enum ViewRows {
    static func measure(_ options: BenchmarkOptions) -> [Row] {
        let rounds = options.isShort ? 200 : 1_500
        return MainActor.assumeIsolated {
            let sink = CopyingSink()
            let subjects: [ScreenSubject] = [
                ScreenSubject(tracedBy: nil),
                ScreenSubject(tracedBy: .disabled),
                ScreenSubject(tracedBy: telemetry(.off, into: sink)),
                ScreenSubject(tracedBy: telemetry(.compact, into: sink)),
                ScreenSubject(tracedBy: telemetry(.full, into: sink)),
            ]
            let times = times(of: subjects, rounds: rounds)
            return [
                row("evaluation of a screen with 20 rows, SDK disabled", times[1], plain: times[0], limit: 1.02),
                row("the same, view tracing off", times[2], plain: times[0], limit: 1.02),
                row("the same, compact form", times[3], plain: times[0], limit: 1.2),
                row("the same, full form: a span for each evaluation", times[4], plain: times[0], limit: 1.2),
            ]
        }
    }

    private static func telemetry(_ mode: ViewTracingMode, into sink: CopyingSink) -> Telemetry {
        Workload.telemetry(into: sink) { $0.viewTracing = mode }
    }

    /// Measures the processor time of each evaluation in nanoseconds. The subjects are interleaved, and each round
    /// starts with another one, so that all run under the same conditions.
    @MainActor
    private static func times(of subjects: [ScreenSubject], rounds: Int) -> [[Double]] {
        var times = subjects.map { _ in [Double]() }
        for subject in subjects { for _ in 0..<100 { subject.evaluate() } }
        for round in 0..<rounds {
            for turn in subjects.indices {
                let index = (round + turn) % subjects.count
                let start = processorTime
                subjects[index].evaluate()
                times[index].append(processorTime - start)
            }
        }
        return times
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// The extra time is the median, over all rounds, of the difference to the untraced evaluation of the same round.
    private static func row(_ name: String, _ measured: [Double], plain: [Double], limit: Double) -> Row {
        let base = median(plain)
        let extra = median(zip(measured, plain).map { $0 - $1 })
        let ratio = (base + extra) / base
        return Row(
            name: name, figure: "\(Report.ratio(ratio)) times", target: "at most \(Report.ratio(limit)) times",
            isMet: ratio <= limit,
            alternative: "the same screen untraced: \(Report.ns(base)); \(Report.ns(abs(extra))) "
                + (extra < 0 ? "less" : "more"))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
#endif
