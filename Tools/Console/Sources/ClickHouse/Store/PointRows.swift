import AstrolabeTelemetryModel
import ConsoleModel

/// A statement for points of one of the tables of metrics, with the columns of ``PointRows``.
struct PointStatement: Sendable {
    let table: OTelTable
    var statement = Statement()
}

extension ResourceGroup<MetricData> {
    /// The time of the one point in it.
    var timeOfPoint: UInt64 {
        switch scopes.first?.records.first?.data {
        case .gauge(let points), .sum(let points, _, _): points.first?.timeUnixNano ?? 0
        case .histogram(let points, _): points.first?.timeUnixNano ?? 0
        case .exponentialHistogram(let points, _): points.first?.timeUnixNano ?? 0
        case .summary(let points): points.first?.timeUnixNano ?? 0
        case .unknown, nil: 0
        }
    }
}

/// Reads metric points from one of the tables of metrics, each with its resource.
struct PointRows: Sendable {
    let table: OTelTable

    /// The tables of metrics by the kind of their points.
    static let tables: [(kind: MetricKind, table: OTelTable)] = [
        (.gauge, .gauges), (.sum, .sums), (.histogram, .histograms), (.exponentialHistogram, .exponentialHistograms),
        (.summary, .summaries),
    ]

    /// SQL of a number that identifies the series of a row.
    var series: String {
        var parts = ["mapSort(ResourceAttributes)", "ScopeName", "ScopeVersion", "mapSort(Attributes)"]
        if table.columns.contains(where: { $0.name == "AggregationTemporality" }) {
            parts.append("AggregationTemporality")
        }
        if table == .sums { parts.append("IsMonotonic") }
        return "cityHash64(\(parts.joined(separator: ", ")))"
    }

    /// SQL of whether a point counts from its start.
    var isCumulative: String {
        switch table {
        case .sums, .histograms, .exponentialHistograms:
            "AggregationTemporality = \(AggregationTemporality.cumulative.rawValue)"
        default: "false"
        }
    }

    var columns: String { table.columns.map { "`\($0.name)`" }.joined(separator: ", ") }

    @Sendable func group(_ reader: inout RowBinaryReader) throws -> ResourceGroup<MetricData> {
        let resource = Resource(attributes: try reader.attributes())
        let schema = try reader.string()
        let (scopeName, scopeVersion) = (try reader.string(), try reader.string())
        let scope = InstrumentationScope(
            name: scopeName, version: scopeVersion, attributes: try reader.attributes(),
            droppedAttributesCount: try reader.integer())
        let scopeSchema = try reader.string()
        _ = try reader.string()
        let name = try reader.string()
        let (description, unit) = (try reader.string(), try reader.string())
        let common = PointStart(
            attributes: try reader.attributes(), start: UInt64(clamping: try reader.integer(Int64.self)),
            time: UInt64(clamping: try reader.integer(Int64.self)))
        let data = MetricData(name: name, description: description, unit: unit, data: try points(common, &reader))
        return ResourceGroup(
            resource: resource, schemaURL: schema,
            scopes: [ScopeGroup(scope: scope, schemaURL: scopeSchema, records: [data])])
    }

    private struct PointStart {
        let attributes: Attributes
        let start: UInt64
        let time: UInt64
    }

    private func points(_ common: PointStart, _ reader: inout RowBinaryReader) throws -> MetricData.Points {
        switch table {
        case .gauges: return .gauge([try number(common, &reader)])
        case .sums:
            let point = try number(common, &reader)
            let temporality = AggregationTemporality(rawValue: try reader.integer())
            return .sum([point], temporality: temporality, isMonotonic: try reader.bool())
        case .histograms:
            var point = HistogramPoint(
                attributes: common.attributes, startTimeUnixNano: common.start, timeUnixNano: common.time,
                count: try reader.integer())
            let sum = try reader.double()
            point.bucketCounts = try reader.array { try $0.integer() }
            point.explicitBounds = try reader.array { try $0.double() }
            point.exemplars = try reader.exemplars()
            let end = try reader.endOfDistribution(count: point.count, sum: sum)
            (point.sum, point.min, point.max) = (sum, end.min, end.max)
            return .histogram([point], temporality: end.temporality)
        case .exponentialHistograms:
            var point = ExponentialHistogramPoint(
                attributes: common.attributes, startTimeUnixNano: common.start, timeUnixNano: common.time,
                count: try reader.integer(), scale: 0)
            let sum = try reader.double()
            point.scale = try reader.integer()
            point.zeroCount = try reader.integer()
            point.positive = try reader.buckets()
            point.negative = try reader.buckets()
            point.exemplars = try reader.exemplars()
            let end = try reader.endOfDistribution(count: point.count, sum: sum)
            (point.sum, point.min, point.max) = (sum, end.min, end.max)
            return .exponentialHistogram([point], temporality: end.temporality)
        default:
            let (count, sum) = (try reader.integer(UInt64.self), try reader.double())
            let (quantiles, values) = (try reader.array { try $0.double() }, try reader.array { try $0.double() })
            _ = try reader.integer(UInt32.self)
            return .summary([
                SummaryPoint(
                    attributes: common.attributes, startTimeUnixNano: common.start, timeUnixNano: common.time,
                    count: count, sum: sum,
                    quantiles: zip(quantiles, values).map { SummaryPoint.Quantile(quantile: $0, value: $1) })
            ])
        }
    }

    private func number(_ common: PointStart, _ reader: inout RowBinaryReader) throws -> NumberPoint {
        let value = MetricNumber(exported: try reader.double())
        _ = try reader.integer(UInt32.self)
        return NumberPoint(
            attributes: common.attributes, startTimeUnixNano: common.start, timeUnixNano: common.time, value: value,
            exemplars: try reader.exemplars())
    }
}

extension MetricNumber {
    /// The exporter stores all numbers as decimals. One that is whole and exact counts as a whole number.
    init(exported value: Double) {
        if let int = Int64(exactly: value), int.magnitude <= 1 << 53 {
            self = .int(int)
        } else {
            self = .double(value)
        }
    }
}

extension RowBinaryReader {
    fileprivate mutating func exemplars() throws -> [Exemplar] {
        let attributes = try array { try $0.attributes() }
        let times = try array { UInt64(clamping: try $0.integer(Int64.self)) }
        let values = try array { try $0.double() }
        let spans = try array { SpanID(hex: try $0.string()) ?? .invalid }
        let traces = try array { TraceID(hex: try $0.string()) ?? .invalid }
        return zip(zip(attributes, times), zip(values, zip(spans, traces))).map { start, end in
            Exemplar(
                filteredAttributes: start.0, timeUnixNano: start.1, value: MetricNumber(exported: end.0),
                traceID: end.1.1, spanID: end.1.0)
        }
    }

    fileprivate mutating func buckets() throws -> ExponentialHistogramPoint.Buckets {
        ExponentialHistogramPoint.Buckets(offset: try integer(), counts: try array { try $0.integer() })
    }

    /// The exporter stores 0 for extremes that the sender does not report.
    fileprivate mutating func endOfDistribution(
        count: UInt64, sum: Double,
    ) throws -> (min: Double?, max: Double?, temporality: AggregationTemporality?) {
        _ = try integer(UInt32.self)
        let (min, max) = (try double(), try double())
        let isReported = count > 0 && (min != 0 || max != 0 || sum == 0)
        return (
            isReported ? min : nil, isReported ? max : nil, AggregationTemporality(rawValue: try integer()),
        )
    }
}
