import AstrolabeTelemetryModel
import Atomics
import Dispatch

/// The measurements with one set of attributes since the last collection, or since the start.
///
/// Any thread may add to it, and none waits: a measurement enters and leaves a `CombiningGate`, which is two atomic
/// operations, or is left to the thread that is inside. Instruments that are bound to the attributes keep the cell, so
/// that they need not look for it.
final class MeasuredCell: @unchecked Sendable {  // `gate` admits one thread at a time to `content`
    /// The attributes of the point.
    let attributes: Attributes
    private let room: ExemplarRoom
    private let gate: CombiningGate<Operation>
    private let content: UnsafeMutablePointer<Content>
    private let block: UnsafeMutableRawPointer

    private struct Content {
        var cell: MetricCell
        /// The number in `RecordingPeriods` of what is measured here.
        var period: UInt64
    }

    private enum Operation {
        case add(MetricNumber, ExemplarOffer?, period: UInt64)
        case begin(period: UInt64)
        case take(Taking)
    }

    private static let contentOffset = 16

    /// - Parameters:
    ///   - room: The exemplars of the metric, of which those here are some.
    ///   - period: The number of the period that takes measurements.
    init(_ attributes: Attributes, _ aggregation: StreamAggregation, room: ExemplarRoom, period: UInt64) {
        self.attributes = attributes
        self.room = room
        block = .allocate(byteCount: Self.contentOffset + MemoryLayout<Content>.stride, alignment: 16)
        gate = CombiningGate(at: block)
        content = (block + Self.contentOffset).bindMemory(to: Content.self, capacity: 1)
        content.initialize(to: Content(cell: MetricCell(aggregation), period: period))
    }

    deinit {
        content.deinitialize(count: 1)
        block.deallocate()
    }

    /// Adds a measurement of this period; one of another goes nowhere.
    ///
    /// - Parameter offer: The measurement as an exemplar, if it may become one.
    @inline(__always)
    func add(_ value: MetricNumber, _ offer: ExemplarOffer?, in period: UInt64) {
        guard gate.enter() else { return gate.submit(.add(value, offer, period: period), perform) }
        insert(value, offer, in: period)
        if !gate.leave() { gate.performPending(perform) }
    }

    /// Forgets all measurements, and takes those of this period from now on.
    func begin(_ period: UInt64) {
        run(.begin(period: period))
    }

    /// The measurements of the period; `nil` if there were none. Waits for a thread that is adding at this moment.
    ///
    /// - Parameter isReset: Whether the cell starts from zero. Exemplars are removed in any case.
    func take(isReset: Bool, in period: UInt64) -> MetricCell? {
        let taking = Taking(isReset: isReset, period: period)
        run(.take(taking))
        return taking.result()
    }

    private func run(_ operation: Operation) {
        guard gate.enter() else { return gate.submit(operation, perform) }
        perform(operation)
        if !gate.leave() { gate.performPending(perform) }
    }

    private func perform(_ operation: Operation) {
        switch operation {
        case .add(let value, let offer, let period): insert(value, offer, in: period)
        case .begin(let period):
            content.pointee.period = period
            reset()
        case .take(let taking):
            guard taking.period == content.pointee.period, !content.pointee.cell.isEmpty else {
                return taking.finish(nil)
            }
            let cell = content.pointee.cell
            if taking.isReset { reset() } else { removeExemplars() }
            taking.finish(cell)
        }
    }

    @inline(__always)
    private func insert(_ value: MetricNumber, _ offer: ExemplarOffer?, in period: UInt64) {
        guard content.pointee.period == period else { return }
        content.pointee.cell.add(value)
        if let offer { insert(offer, value) }
    }

    @inline(never)
    private func insert(_ offer: ExemplarOffer, _ value: MetricNumber) {
        if content.pointee.cell.offer(offer, value, of: attributes, hasRoom: room.isLeft) { room.take(1) }
    }

    private func reset() {
        room.take(-content.pointee.cell.exemplarCount)
        content.pointee.cell = content.pointee.cell.emptied
    }

    private func removeExemplars() {
        room.take(-content.pointee.cell.exemplarCount)
        content.pointee.cell.removeExemplars()
    }
}

/// The part of a cell that a collection takes. If another thread is adding, that thread performs it.
private final class Taking: @unchecked Sendable {  // `done` orders the accesses to `cell`
    let isReset: Bool
    let period: UInt64
    private var cell: MetricCell?
    private let done = DispatchSemaphore(value: 0)

    init(isReset: Bool, period: UInt64) {
        self.isReset = isReset
        self.period = period
    }

    func finish(_ cell: MetricCell?) {
        self.cell = cell
        done.signal()
    }

    func result() -> MetricCell? {
        done.wait()
        return cell
    }
}

/// The number of exemplars that a metric may still have until it is collected.
final class ExemplarRoom: Sendable {
    /// Exemplars of one collection.
    private static let limit = 1_000
    private let taken = UnsafeAtomic<Int>.create(0)

    deinit {
        taken.destroy()
    }

    var isLeft: Bool { taken.load(ordering: .relaxed) < Self.limit }

    /// Takes so many places, or gives them back.
    func take(_ count: Int) {
        if count != 0 { taken.wrappingIncrement(by: count, ordering: .relaxed) }
    }
}
