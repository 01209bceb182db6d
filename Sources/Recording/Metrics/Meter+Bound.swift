public import AstrolabeTelemetryModel

/// Instruments that are bound to one set of attributes, for measurements that come often.
extension Meter {
    /// A counter for one set of attributes.
    ///
    ///     let frames = meter.counter("demo.frames").bound(to: ["app.screen.name": "Cart"])
    ///     frames.add(1)
    ///
    /// It adds to the same point as `Counter.add(_:attributes:)` with these attributes.
    public struct BoundCounter: Sendable {
        private let cells: BoundCells?

        fileprivate init(_ cells: BoundCells?) {
            self.cells = cells
        }

        /// Adds an integer. Negative values are ignored.
        public func add(_ value: Int) {
            if value >= 0 { cells?.add(.int(Int64(value))) }
        }

        /// Adds a floating-point number. Values that are negative or not finite are ignored.
        public func add(_ value: Double) {
            if value >= 0, value.isFinite { cells?.add(.double(value)) }
        }
    }

    /// An up-down counter for one set of attributes.
    public struct BoundUpDownCounter: Sendable {
        private let cells: BoundCells?

        fileprivate init(_ cells: BoundCells?) {
            self.cells = cells
        }

        /// Adds an integer.
        public func add(_ value: Int) {
            cells?.add(.int(Int64(value)))
        }

        /// Adds a floating-point number. Values that are not finite are ignored.
        public func add(_ value: Double) {
            if value.isFinite { cells?.add(.double(value)) }
        }
    }

    /// A histogram for one set of attributes.
    public struct BoundHistogram: Sendable {
        private let cells: BoundCells?

        fileprivate init(_ cells: BoundCells?) {
            self.cells = cells
        }

        /// Records a floating-point number. Values that are not finite are ignored.
        public func record(_ value: Double) {
            if value.isFinite { cells?.add(.double(value)) }
        }
    }

    /// A gauge for one set of attributes.
    public struct BoundGauge: Sendable {
        private let cells: BoundCells?

        fileprivate init(_ cells: BoundCells?) {
            self.cells = cells
        }

        /// Records a floating-point number. Values that are not finite are ignored.
        public func record(_ value: Double) {
            if value.isFinite { cells?.add(.double(value)) }
        }

        /// Records an integer.
        public func record(_ value: Int) {
            cells?.add(.int(Int64(value)))
        }
    }
}

extension Meter.Counter {
    /// Returns the counter for one set of attributes, which are redacted, limited and looked up once.
    ///
    /// A measurement of it takes a few atomic operations and allocates nothing, unless other threads measure the same
    /// at the same moment. The set counts towards the limit on sets of attributes for as long as the bound counter is
    /// kept. One that is bound beyond the limit measures into `otel.metric.overflow=true` for good.
    public func bound(to attributes: Attributes) -> Meter.BoundCounter {
        Meter.BoundCounter(storage?.bind(attributes))
    }
}

extension Meter.UpDownCounter {
    /// Returns the counter for one set of attributes, as `Counter.bound(to:)` does.
    public func bound(to attributes: Attributes) -> Meter.BoundUpDownCounter {
        Meter.BoundUpDownCounter(storage?.bind(attributes))
    }
}

extension Meter.Histogram {
    /// Returns the histogram for one set of attributes, as `Counter.bound(to:)` does.
    public func bound(to attributes: Attributes) -> Meter.BoundHistogram {
        Meter.BoundHistogram(storage?.bind(attributes))
    }
}

extension Meter.Gauge {
    /// Returns the gauge for one set of attributes, as `Counter.bound(to:)` does.
    public func bound(to attributes: Attributes) -> Meter.BoundGauge {
        Meter.BoundGauge(storage?.bind(attributes))
    }
}
