public import Dispatch
public import Foundation

/// A moment of a queue's clock.
///
/// The run loops of a Linux program need not run, so the main run loop and the main operation queue schedule their work
/// on the main dispatch queue.
public struct QueueTime: Strideable, Hashable, Sendable {
    /// A distance between two moments.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable, Sendable {
        public var nanoseconds: Int64

        public init(nanoseconds: Int64) {
            self.nanoseconds = nanoseconds
        }

        public init(_ interval: DispatchTimeInterval) {
            nanoseconds =
                switch interval {
                case .seconds(let count): Int64(count) * 1_000_000_000
                case .milliseconds(let count): Int64(count) * 1_000_000
                case .microseconds(let count): Int64(count) * 1_000
                case .nanoseconds(let count): Int64(count)
                case .never: .max
                @unknown default: .max
                }
        }

        public init(integerLiteral value: Int64) {
            self.init(nanoseconds: value * 1_000_000_000)
        }

        public init(floatLiteral value: Double) {
            self = .seconds(value)
        }

        public init?<T: BinaryInteger>(exactly source: T) {
            guard let count = Int64(exactly: source) else { return nil }
            self.init(nanoseconds: count * 1_000_000_000)
        }

        /// In seconds.
        public var timeInterval: TimeInterval { Double(nanoseconds) / 1e9 }
        public var magnitude: Stride { Stride(nanoseconds: abs(nanoseconds)) }

        public static func seconds(_ s: Int) -> Stride { Stride(nanoseconds: Int64(s) * 1_000_000_000) }
        public static func seconds(_ s: Double) -> Stride { Stride(nanoseconds: Int64(s * 1e9)) }
        public static func milliseconds(_ ms: Int) -> Stride { Stride(nanoseconds: Int64(ms) * 1_000_000) }
        public static func microseconds(_ us: Int) -> Stride { Stride(nanoseconds: Int64(us) * 1_000) }
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: Int64(ns)) }

        public static func < (left: Stride, right: Stride) -> Bool { left.nanoseconds < right.nanoseconds }

        public static func + (left: Stride, right: Stride) -> Stride {
            Stride(nanoseconds: left.nanoseconds + right.nanoseconds)
        }

        public static func - (left: Stride, right: Stride) -> Stride {
            Stride(nanoseconds: left.nanoseconds - right.nanoseconds)
        }

        public static func * (left: Stride, right: Stride) -> Stride {
            .seconds(left.timeInterval * right.timeInterval)
        }

        public static func *= (left: inout Stride, right: Stride) { left = left * right }
    }

    let dispatchTime: DispatchTime

    public func distance(to other: QueueTime) -> Stride {
        let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
        return Stride(nanoseconds: Int64(to) - Int64(from))
    }

    public func advanced(by stride: Stride) -> QueueTime {
        let now = Int64(dispatchTime.uptimeNanoseconds)
        return QueueTime(dispatchTime: DispatchTime(uptimeNanoseconds: UInt64(max(0, now + stride.nanoseconds))))
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
}

/// Work that crosses to a queue, which runs it once at a time.
private struct Work: @unchecked Sendable {  // Combine's schedulers take closures that are not Sendable
    let run: () -> Void
}

extension Dispatch.DispatchQueue: OpenCombine.Scheduler {
    public typealias SchedulerTimeType = QueueTime

    /// The quality of service is that of the queue.
    public struct SchedulerOptions {}

    public var now: QueueTime { QueueTime(dispatchTime: .now()) }
    public var minimumTolerance: QueueTime.Stride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Work(run: action)
        async { work.run() }
    }

    public func schedule(
        after date: QueueTime, tolerance: QueueTime.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void,
    ) {
        let work = Work(run: action)
        asyncAfter(deadline: date.dispatchTime) { work.run() }
    }

    public func schedule(
        after date: QueueTime, interval: QueueTime.Stride, tolerance: QueueTime.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void,
    ) -> any Cancellable {
        let work = Work(run: action)
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.schedule(
            deadline: date.dispatchTime, repeating: .nanoseconds(Int(interval.nanoseconds)),
            leeway: .nanoseconds(Int(tolerance.nanoseconds)))
        timer.setEventHandler { work.run() }
        timer.resume()
        return AnyCancellable { timer.cancel() }
    }
}

/// The main run loop as a scheduler. Other run loops are not supported.
extension Foundation.RunLoop: OpenCombine.Scheduler {
    public typealias SchedulerTimeType = QueueTime

    public struct SchedulerOptions {}

    public var now: QueueTime { DispatchQueue.main.now }
    public var minimumTolerance: QueueTime.Stride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        DispatchQueue.main.schedule(options: nil, action)
    }

    public func schedule(
        after date: QueueTime, tolerance: QueueTime.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void,
    ) {
        DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: nil, action)
    }

    public func schedule(
        after date: QueueTime, interval: QueueTime.Stride, tolerance: QueueTime.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void,
    ) -> any Cancellable {
        DispatchQueue.main.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
    }
}
