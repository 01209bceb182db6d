import AstrolabeTelemetryModel
import ConsoleModel

/// The rows of metric points, by their table.
struct MetricTableRows {
    private(set) var writers: [OTelTable: RowBinaryWriter] = [:]
    private(set) var counts: [OTelTable: Int] = [:]

    private let arrival: UInt64

    init(_ groups: [ResourceGroup<MetricData>], _ times: RecordTimes) {
        arrival = times.arrival
        for group in groups {
            for scope in group.scopes {
                for metric in scope.records { write(metric, Origin(group: group, scope: scope)) }
            }
        }
    }

    private struct Origin {
        let group: ResourceGroup<MetricData>
        let scope: ScopeGroup<MetricData>
    }

    private mutating func write(_ metric: MetricData, _ origin: Origin) {
        func row<Point>(
            _ table: OTelTable, _ point: Point, _ attributes: Attributes, _ start: UInt64, _ time: UInt64,
            _ body: (inout RowBinaryWriter, Point) -> Void,
        ) {
            var writer = writers.removeValue(forKey: table) ?? RowBinaryWriter()
            writer.write(
                metric, origin.group, origin.scope, attributes, start: start, time: time > 0 ? time : arrival)
            body(&writer, point)
            writers[table] = writer
            counts[table, default: 0] += 1
        }
        switch metric.data {
        case .gauge(let points):
            for point in points {
                row(.gauges, point, point.attributes, point.startTimeUnixNano, point.timeUnixNano) { $0.write($1) }
            }
        case .sum(let points, let temporality, let isMonotonic):
            for point in points {
                row(.sums, point, point.attributes, point.startTimeUnixNano, point.timeUnixNano) {
                    $0.write($1)
                    $0.write(temporality?.rawValue ?? 0)
                    $0.write(isMonotonic)
                }
            }
        case .histogram(let points, let temporality):
            for point in points {
                row(.histograms, point, point.attributes, point.startTimeUnixNano, point.timeUnixNano) {
                    $0.write($1.count)
                    $0.write($1.sum ?? 0)
                    $0.write($1.bucketCounts) { $0.write($1) }
                    $0.write($1.explicitBounds) { $0.write($1) }
                    $0.write(exemplars: $1.exemplars)
                    $0.write(end: $1.min, $1.max, temporality)
                }
            }
        case .exponentialHistogram(let points, let temporality):
            for point in points {
                row(.exponentialHistograms, point, point.attributes, point.startTimeUnixNano, point.timeUnixNano) {
                    $0.write($1.count)
                    $0.write($1.sum ?? 0)
                    $0.write($1.scale)
                    $0.write($1.zeroCount)
                    for buckets in [$1.positive, $1.negative] {
                        $0.write(buckets.offset)
                        $0.write(buckets.counts) { $0.write($1) }
                    }
                    $0.write(exemplars: $1.exemplars)
                    $0.write(end: $1.min, $1.max, temporality)
                }
            }
        case .summary(let points):
            for point in points {
                row(.summaries, point, point.attributes, point.startTimeUnixNano, point.timeUnixNano) {
                    $0.write($1.count)
                    $0.write($1.sum)
                    $0.write($1.quantiles) { $0.write($1.quantile) }
                    $0.write($1.quantiles) { $0.write($1.value) }
                    $0.write(UInt32(0))
                }
            }
        case .unknown: break
        }
    }
}

extension RowBinaryWriter {
    /// Writes the columns that all tables of metrics begin with.
    fileprivate mutating func write(
        _ metric: MetricData, _ group: ResourceGroup<MetricData>, _ scope: ScopeGroup<MetricData>,
        _ attributes: Attributes, start: UInt64, time: UInt64,
    ) {
        write(group.resource.attributes)
        write(group.schemaURL)
        write(scope.scope.name)
        write(scope.scope.version)
        write(scope.scope.attributes)
        write(scope.scope.droppedAttributesCount)
        write(scope.schemaURL)
        write(serviceOf: group.resource)
        write(metric.name)
        write(metric.description)
        write(metric.unit)
        write(attributes)
        write(time: start)
        write(time: time)
    }

    fileprivate mutating func write(_ point: NumberPoint) {
        write(point.value.doubleValue)
        write(UInt32(0))
        write(exemplars: point.exemplars)
    }

    fileprivate mutating func write(exemplars: [Exemplar]) {
        write(exemplars) { $0.write($1.filteredAttributes) }
        write(exemplars) { $0.write(time: $1.timeUnixNano) }
        write(exemplars) { $0.write($1.value?.doubleValue ?? 0) }
        write(exemplars) { $0.write($1.spanID) }
        write(exemplars) { $0.write($1.traceID) }
    }

    fileprivate mutating func write(end min: Double?, _ max: Double?, _ temporality: AggregationTemporality?) {
        write(UInt32(0))
        write(min ?? 0)
        write(max ?? 0)
        write(temporality?.rawValue ?? 0)
    }
}
