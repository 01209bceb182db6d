/// The resources that the SDK itself has used so far.
public struct ResourceSample: Equatable, Sendable {
    /// Time on a monotonic clock.
    public var time: Duration
    /// CPU time of the SDK's own work since it started, over all its threads.
    public var cpuTime: Duration
    /// Bytes that its buffers, mappings and caches hold now.
    public var memoryBytes: Int
    /// Bytes sent over the network since it started.
    public var bytesSent: Int

    public init(time: Duration, cpuTime: Duration, memoryBytes: Int, bytesSent: Int) {
        self.time = time
        self.cpuTime = cpuTime
        self.memoryBytes = memoryBytes
        self.bytesSent = bytesSent
    }
}

public enum BudgetResource: String, Hashable, Sendable, CaseIterable {
    case cpu = "CPU"
    case memory
    case network
}

/// A limit on the mode that results from the SDK's own resource usage.
public struct BudgetCap: Equatable, Sendable {
    public var mode: TelemetryMode
    public var resource: BudgetResource

    public init(mode: TelemetryMode, resource: BudgetResource) {
        self.mode = mode
        self.resource = resource
    }
}

/// A change of the governor's cap, with its reason.
///
///     step.description    // "CPU at 4.2 %, next 4.6 %, of 5.0 %: from normal to reduced"
public struct BudgetStep: Equatable, Sendable, CustomStringConvertible {
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case down
        case up
        /// Minimal mode exceeds the budget too; nothing changed.
        case floor
    }

    public var time: Duration
    public var direction: Direction
    /// The resource closest to its limit.
    public var resource: BudgetResource
    /// A share of one core, or bytes (of the network: within an hour).
    public var measured: Double
    /// The projected value of the next sample.
    public var projected: Double
    public var limit: Double
    public var from: TelemetryMode
    public var to: TelemetryMode

    init(_ direction: Direction, _ load: Load, from: TelemetryMode, to: TelemetryMode, at time: Duration) {
        self.time = time
        self.direction = direction
        resource = load.resource
        measured = load.measured
        projected = load.projected
        limit = load.limit
        self.from = from
        self.to = to
    }

    public var description: String {
        let use = "\(resource.rawValue) at \(text(measured)), next \(text(projected)), of \(text(limit))"
        switch direction {
        case .down, .up: return "\(use): from \(from.rawValue) to \(to.rawValue)"
        case .floor: return "\(use): already in \(from.rawValue) mode"
        }
    }

    private func text(_ value: Double) -> String {
        switch resource {
        case .cpu: "\((value * 1000).rounded() / 10) %"
        case .memory: "\((value / 100_000).rounded() / 10) MB"
        case .network: "\((value / 100_000).rounded() / 10) MB/h"
        }
    }
}

/// A sample, evaluated together with earlier ones.
struct Observation: Equatable, Sendable {
    var sample: ResourceSample
    /// Share of one core over the period that ends with the sample; `nil` for the first.
    var cpuShare: Double?
    /// A leaky bucket of sent bytes; an hour's allowance drains in an hour.
    var hourBytes = 0.0
    /// Changes since the previous sample; empty for resources that it did not measure.
    var rises: [BudgetResource: Double] = [:]

    init(_ sample: ResourceSample) {
        self.sample = sample
    }

    /// Evaluates a sample. Totals that decreased belong to a new process and count from 0.
    init(_ sample: ResourceSample, after previous: Observation, period: Duration, bytesPerHour: Int?) {
        self.sample = sample
        let before = previous.sample
        let cpuTime = sample.cpuTime - (sample.cpuTime < before.cpuTime ? .zero : before.cpuTime)
        let share = cpuTime / period
        cpuShare = share
        rises[.cpu] = previous.cpuShare.map { share - $0 }
        rises[.memory] = Double(sample.memoryBytes) - Double(before.memoryBytes)
        guard let bytesPerHour else { return }
        let sent = sample.bytesSent - (sample.bytesSent < before.bytesSent ? 0 : before.bytesSent)
        let drained = Double(bytesPerHour) * (period / .seconds(3600))
        hourBytes = max(0, previous.hourBytes - drained) + Double(sent)
        rises[.network] = hourBytes - previous.hourBytes
    }
}

/// The usage of one resource and its limit.
struct Load: Equatable, Sendable {
    var resource: BudgetResource
    var measured: Double
    /// The projected next value. A rise is projected only if it follows another one, because a single rise is noise.
    var projected: Double
    var limit: Double

    var share: Double { Self.share(measured, of: limit) }
    var projectedShare: Double { Self.share(projected, of: limit) }

    static func all(_ current: Observation, after previous: Observation, _ budget: ResourceBudget) -> [Load] {
        func load(_ resource: BudgetResource, _ measured: Double, _ limit: Double) -> Load {
            let rise = min(current.rises[resource] ?? 0, previous.rises[resource] ?? 0)
            return Load(resource: resource, measured: measured, projected: measured + max(0, rise), limit: limit)
        }
        var loads = [
            load(.cpu, current.cpuShare ?? 0, budget.cpuShare),
            load(.memory, Double(current.sample.memoryBytes), Double(budget.memoryBytes)),
        ]
        if let limit = budget.bytesPerHour { loads.append(load(.network, current.hourBytes, Double(limit))) }
        return loads
    }

    private static func share(_ value: Double, of limit: Double) -> Double {
        if limit > 0 { return value / limit }
        return value > 0 ? .infinity : 0
    }
}
