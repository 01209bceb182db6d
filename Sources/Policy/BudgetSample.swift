/// What the SDK itself has taken so far.
public struct ResourceSample: Hashable, Sendable {
    /// By a clock that never goes back.
    public var time: Duration
    /// Processor time of the SDK's own work since it started, over all its threads.
    public var cpuTime: Duration
    /// What its buffers, mappings and caches hold now.
    public var memoryBytes: Int
    /// Over the network since it started.
    public var bytesSent: Int

    public init(time: Duration, cpuTime: Duration, memoryBytes: Int, bytesSent: Int) {
        self.time = time
        self.cpuTime = cpuTime
        self.memoryBytes = memoryBytes
        self.bytesSent = bytesSent
    }
}

public enum BudgetResource: String, Codable, Hashable, Sendable, CaseIterable {
    case cpu = "CPU"
    case memory
    case network
}

/// A limit on the mode that comes from the SDK's own use of the device.
public struct BudgetCap: Hashable, Sendable {
    public var mode: TelemetryMode
    public var resource: BudgetResource

    public init(mode: TelemetryMode, resource: BudgetResource) {
        self.mode = mode
        self.resource = resource
    }
}

/// Why the governor moved the cap: the record that says so.
///
///     step.description    // "CPU at 4.2 %, next 4.6 %, of 5.0 %: from normal to reduced"
public struct BudgetStep: Hashable, Sendable, CustomStringConvertible {
    public enum Direction: String, Codable, Hashable, Sendable, CaseIterable {
        case down
        case up
        /// Minimal mode breaks the budget too; nothing changed.
        case floor
    }

    public var time: Duration
    public var direction: Direction
    /// The resource that is nearest to its limit.
    public var resource: BudgetResource
    /// A share of a core, or bytes (of the network: within an hour).
    public var measured: Double
    /// What the next sample would be, if things went on as they did.
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

/// A sample, and what it means together with those before.
struct Observation: Hashable, Sendable {
    var sample: ResourceSample
    /// Of one core, over the period that ends with the sample; `nil` for the first.
    var cpuShare: Double?
    /// A bucket that what is sent fills and that an hour's allowance empties in an hour.
    var hourBytes = 0.0
    /// Since the sample before; a resource that was not measured then has none.
    var rises: [BudgetResource: Double] = [:]

    init(_ sample: ResourceSample) {
        self.sample = sample
    }

    /// Totals that fell are those of a new start: what they show is counted from 0.
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

/// One resource against its limit.
struct Load: Hashable, Sendable {
    var resource: BudgetResource
    var measured: Double
    /// What the next sample would be if things went on as they did: a rise counts where it followed another, for one
    /// alone is noise.
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
