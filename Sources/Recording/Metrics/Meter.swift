import AstrolabePlatform
public import AstrolabeTelemetryModel

/// Makes the instruments of one instrumentation scope.
///
///     let meter = telemetry.meter("shop.cart")
///     let added = meter.counter("demo.cart.items.added", unit: "{item}")
///     added.add(1, attributes: ["demo.product.id": "L9ECAV7KIM"])
///
/// Instruments aggregate on the device; what is sent, and how often, is one data point for each set of attributes. For
/// measurements that come often with the same attributes, bind an instrument to them:
///
///     let visits = meter.counter("demo.visits").bound(to: ["app.screen.name": "Cart"])
///     visits.add(1)
public struct Meter: Sendable {
    private let registry: MetricRegistry?
    private let scope: InstrumentationScope

    package init(registry: MetricRegistry?, scope: InstrumentationScope) {
        self.registry = registry
        self.scope = scope
    }

    /// A meter whose instruments measure nothing and cost nothing.
    package static let disabled = Meter(registry: nil, scope: InstrumentationScope(name: ""))

    /// A sum that only grows. Negative values are ignored.
    ///
    /// Asking for the same name and kind again gives the same instrument, with the unit, description and bounds of the
    /// first request; `unit` is a UCUM unit. Values that are not finite are ignored by all instruments.
    public func counter(_ name: String, unit: String = "", description: String = "") -> Counter {
        Counter(storage(name, unit: unit, description: description, kind: .sum(isMonotonic: true)))
    }

    /// A sum that grows and shrinks.
    public func upDownCounter(_ name: String, unit: String = "", description: String = "") -> UpDownCounter {
        UpDownCounter(storage(name, unit: unit, description: description, kind: .sum(isMonotonic: false)))
    }

    /// A distribution. Default bounds are the specification's, for durations in milliseconds and sizes alike; they are
    /// put in order, and what is not finite or occurs twice is left out.
    public func histogram(
        _ name: String, unit: String = "", description: String = "", bounds: [Double]? = nil,
    ) -> Histogram {
        let bounds = Histogram.cleaned(bounds ?? Histogram.defaultBounds)
        return Histogram(storage(name, unit: unit, description: description, kind: .histogram(bounds: bounds)))
    }

    /// The last value of something that goes up and down and that does not add up.
    public func gauge(_ name: String, unit: String = "", description: String = "") -> Gauge {
        Gauge(storage(name, unit: unit, description: description, kind: .gauge))
    }

    /// A gauge whose value is asked for when metrics are collected; `nil` leaves it out that time.
    ///
    ///     let observation = meter.observableGauge("demo.cart.items") { [weak cart] in cart?.itemCount }
    ///     observation.cancel()
    ///
    /// `observe` is kept and called until the observation is cancelled. If that is ignored, it is kept for good.
    @discardableResult
    public func observableGauge(
        _ name: String, unit: String = "", description: String = "", observe: @escaping @Sendable () -> Double?,
    ) -> Observation {
        observableGauge(name, unit: unit, description: description) { observer in
            if let value = observe() { observer.observe(value) }
        }
    }

    /// A gauge whose values are asked for when metrics are collected: one for each set of attributes.
    ///
    /// `observe` is kept and called until the observation is cancelled.
    @discardableResult
    public func observableGauge(
        _ name: String, unit: String = "", description: String = "", observe: @escaping @Sendable (Observer) -> Void,
    ) -> Observation {
        observable(storage(name, unit: unit, description: description, kind: .observedGauge), observe)
    }

    /// A sum that only grows, whose totals are asked for when metrics are collected.
    ///
    ///     meter.observableCounter("process.cpu.time", unit: "s") { observer in
    ///         observer.observe(cpu.user, attributes: ["cpu.mode": "user"])
    ///         observer.observe(cpu.system, attributes: ["cpu.mode": "system"])
    ///     }
    ///
    /// `observe` gives the total since the start. The SDK reports what was added since the last collection. Negative
    /// totals are ignored. A total that has become smaller has started again from 0.
    @discardableResult
    public func observableCounter(
        _ name: String, unit: String = "", description: String = "", observe: @escaping @Sendable (Observer) -> Void,
    ) -> Observation {
        let kind = InstrumentKind.observedSum(isMonotonic: true)
        return observable(storage(name, unit: unit, description: description, kind: kind), observe)
    }

    /// A sum that grows and shrinks, whose totals are asked for when metrics are collected.
    @discardableResult
    public func observableUpDownCounter(
        _ name: String, unit: String = "", description: String = "", observe: @escaping @Sendable (Observer) -> Void,
    ) -> Observation {
        let kind = InstrumentKind.observedSum(isMonotonic: false)
        return observable(storage(name, unit: unit, description: description, kind: kind), observe)
    }

    private func observable(
        _ storage: InstrumentStorage?, _ observe: @escaping @Sendable (Observer) -> Void,
    ) -> Observation {
        guard let registry, let storage else { return Observation(registry: nil, number: 0) }
        let number = registry.beforeCollecting { observe(Observer(storage)) }
        return Observation(registry: registry, number: number)
    }

    private func storage(_ name: String, unit: String, description: String, kind: InstrumentKind) -> InstrumentStorage?
    {
        registry?.storage(
            for: InstrumentDescriptor(scope: scope, name: name, unit: unit, description: description, kind: kind))
    }
}

extension Meter {
    /// A sum that only grows.
    public struct Counter: Sendable {
        let storage: InstrumentStorage?

        init(_ storage: InstrumentStorage?) {
            self.storage = storage
        }

        /// Adds an integer.
        public func add(_ value: Int, attributes: Attributes = [:]) {
            if value >= 0 { storage?.add(.int(Int64(value)), attributes) }
        }

        /// Adds a floating-point number.
        public func add(_ value: Double, attributes: Attributes = [:]) {
            if value >= 0, value.isFinite { storage?.add(.double(value), attributes) }
        }
    }

    /// A sum that grows and shrinks.
    public struct UpDownCounter: Sendable {
        let storage: InstrumentStorage?

        init(_ storage: InstrumentStorage?) {
            self.storage = storage
        }

        /// Adds an integer.
        public func add(_ value: Int, attributes: Attributes = [:]) {
            storage?.add(.int(Int64(value)), attributes)
        }

        /// Adds a floating-point number.
        public func add(_ value: Double, attributes: Attributes = [:]) {
            if value.isFinite { storage?.add(.double(value), attributes) }
        }
    }

    /// A distribution of values over buckets.
    public struct Histogram: Sendable {
        /// Upper bounds, inclusive, of the specification's explicit-bucket histogram.
        static let defaultBounds: [Double] = [
            0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
        ]

        let storage: InstrumentStorage?

        init(_ storage: InstrumentStorage?) {
            self.storage = storage
        }

        /// Records a floating-point number.
        public func record(_ value: Double, attributes: Attributes = [:]) {
            if value.isFinite { storage?.add(.double(value), attributes) }
        }

        /// Bounds as OTLP wants them: finite and strictly ascending.
        static func cleaned(_ bounds: [Double]) -> [Double] {
            Set(bounds.filter(\.isFinite)).ordered(by: <)
        }
    }

    /// Takes the values of an observable instrument.
    public struct Observer: Sendable {
        private let storage: InstrumentStorage?

        init(_ storage: InstrumentStorage?) {
            self.storage = storage
        }

        /// Notes an integer. The last one of the same attributes counts.
        public func observe(_ value: Int, attributes: Attributes = [:]) {
            observe(.int(Int64(value)), attributes)
        }

        /// Notes a floating-point number. The last one of the same attributes counts.
        public func observe(_ value: Double, attributes: Attributes = [:]) {
            if value.isFinite { observe(.double(value), attributes) }
        }

        private func observe(_ value: MetricNumber, _ attributes: Attributes) {
            guard let storage else { return }
            let isMonotonic = storage.descriptor.kind == .observedSum(isMonotonic: true)
            if !isMonotonic || value.doubleValue >= 0 { storage.add(value, attributes) }
        }
    }

    /// A callback of an observable instrument.
    public struct Observation: Sendable {
        private let registry: MetricRegistry?
        private let number: UInt64

        init(registry: MetricRegistry?, number: UInt64) {
            self.registry = registry
            self.number = number
        }

        /// Stops asking for values, and releases the callback.
        public func cancel() {
            registry?.stopObserving(number)
        }
    }

    /// The last value of something.
    public struct Gauge: Sendable {
        let storage: InstrumentStorage?

        init(_ storage: InstrumentStorage?) {
            self.storage = storage
        }

        /// Records a floating-point number.
        public func record(_ value: Double, attributes: Attributes = [:]) {
            if value.isFinite { storage?.add(.double(value), attributes) }
        }

        /// Records an integer.
        public func record(_ value: Int, attributes: Attributes = [:]) {
            storage?.add(.int(Int64(value)), attributes)
        }
    }
}
