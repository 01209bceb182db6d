/// Changes which metrics some instruments make, and how they aggregate.
///
///     configuration.metricViews = [
///         MetricView(instrument: "http.client.request.duration", aggregation: .base2Exponential()),
///         MetricView(instrument: "demo.cart.*", attributeKeys: ["demo.product.id"]),
///         MetricView(meter: "com.example.noisy", aggregation: .drop),
///     ]
///
/// An instrument must match all that a view says of it. Each view that matches makes a metric of its own. If none
/// matches, the instrument makes its usual metric. A view that matches everything and drops it turns off all
/// instruments that have no other view.
///
/// In names and keys, `*` stands for any characters and `?` for one.
public struct MetricView: Equatable, Sendable {
    /// The method of `Meter` that makes an instrument.
    public enum InstrumentKind: Hashable, Sendable {
        /// `Meter.counter`
        case counter
        /// `Meter.upDownCounter`
        case upDownCounter
        /// `Meter.histogram`
        case histogram
        /// `Meter.gauge`
        case gauge
        /// `Meter.observableCounter`
        case observableCounter
        /// `Meter.observableUpDownCounter`
        case observableUpDownCounter
        /// `Meter.observableGauge`
        case observableGauge
    }

    /// The aggregation of measurements into data points.
    public enum Aggregation: Equatable, Sendable {
        /// That of the instrument.
        case `default`
        /// No metric. The measurements are ignored.
        case drop
        /// Their sum. That of a histogram ignores negative values.
        case sum
        /// The last one.
        case lastValue
        /// A histogram with these upper bounds, inclusive. They are put in order, and what is not finite or occurs
        /// twice is left out. Not for observable instruments.
        case explicitBuckets([Double])
        /// A histogram whose bounds follow the values: at most `maxSize` buckets for values of one sign, 2 to 1,024,
        /// and a scale of at most `maxScale`, -10 to 20. Numbers out of these ranges count as the nearest one in range.
        /// Not for observable instruments.
        case base2Exponential(maxSize: Int = 160, maxScale: Int = 20)
    }

    /// The name of the instrument, with wildcards, in upper or lower case. `nil` matches every name.
    public var instrument: String?
    /// The kind of the instrument. `nil` matches every kind.
    public var kind: InstrumentKind?
    /// The unit of the instrument. `nil` matches every unit.
    public var unit: String?
    /// The name of the instrument's meter. `nil` matches every meter.
    public var meter: String?
    /// The version of the instrument's meter. `nil` matches every version.
    public var meterVersion: String?
    /// The schema URL of the instrument's meter. `nil` matches every one.
    public var meterSchemaURL: String?
    /// The name of the metric. `nil` is the instrument's.
    public var name: String?
    /// The description of the metric. `nil` is the instrument's.
    public var description: String?
    /// The keys of the attributes that are kept, with wildcards. Measurements that differ in others only are
    /// aggregated together. `nil` keeps all.
    public var attributeKeys: Set<String>?
    /// The keys of attributes that are not kept, with wildcards, even if `attributeKeys` has them.
    public var excludedAttributeKeys: Set<String>
    /// The aggregation of measurements into data points.
    public var aggregation: Aggregation
    /// The number of sets of attributes, at least 1 and at most 20,000. The last one has all measurements of further
    /// sets. `nil` is 2,000.
    public var cardinalityLimit: Int?

    /// Creates a view. The parameters up to `meterSchemaURL` select instruments. The others say what their metric is.
    public init(
        instrument: String? = nil, kind: InstrumentKind? = nil, unit: String? = nil, meter: String? = nil,
        meterVersion: String? = nil, meterSchemaURL: String? = nil, name: String? = nil, description: String? = nil,
        attributeKeys: Set<String>? = nil, excludedAttributeKeys: Set<String> = [],
        aggregation: Aggregation = .default, cardinalityLimit: Int? = nil,
    ) {
        self.instrument = instrument
        self.kind = kind
        self.unit = unit
        self.meter = meter
        self.meterVersion = meterVersion
        self.meterSchemaURL = meterSchemaURL
        self.name = name
        self.description = description
        self.attributeKeys = attributeKeys
        self.excludedAttributeKeys = excludedAttributeKeys
        self.aggregation = aggregation
        self.cardinalityLimit = cardinalityLimit
    }
}
