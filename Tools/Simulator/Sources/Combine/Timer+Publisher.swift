import Dispatch
public import Foundation

extension Timer {
    /// Returns a publisher that emits the date at each interval, from when it is connected.
    ///
    /// - Parameters:
    ///   - interval: In seconds.
    ///   - runLoop: The main run loop. The values arrive on the main queue.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance)
    }

    /// Emits the date at each interval.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never

        public let interval: TimeInterval
        public let tolerance: TimeInterval?
        private let dates = PassthroughSubject<Date, Never>()

        init(interval: TimeInterval, tolerance: TimeInterval?) {
            self.interval = interval
            self.tolerance = tolerance
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            dates.subscribe(subscriber)
        }

        public func connect() -> any Cancellable {
            let step = QueueTime.Stride.seconds(interval)
            let dates = dates
            return DispatchQueue.main.schedule(
                after: DispatchQueue.main.now.advanced(by: step), interval: step,
                tolerance: .seconds(tolerance ?? 0), options: nil,
            ) { dates.send(Date()) }
        }
    }
}
