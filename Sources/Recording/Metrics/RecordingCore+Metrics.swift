import AstrolabePlatform
package import AstrolabeTelemetryModel
import AstrolabeWire

extension RecordingCore {
    /// Records a metric that is already aggregated, with the times and attributes of its points as they are.
    package func record(_ metric: MetricData, scope: InstrumentationScope) {
        guard records(.metric), periods.isPermitted else { return }
        append(
            metric,
            header: RecordHeader(
                kind: .metric, priority: .normal, scope: register(scope), timeUnixNano: clock.now))
    }

    /// Appends a metric as one record, or as more if its points would not fit in one.
    func append(_ metric: MetricData, header: RecordHeader) {
        LockRule.checkCall("recording a metric")
        let size = metric.wireSize
        if size > limits.recordSize, let (first, second) = metric.halves {
            append(first, header: header)
            append(second, header: header)
            return
        }
        if size > limits.recordSize, let bare = metric.withoutExemplars { return append(bare, header: header) }
        var bytes: [UInt8] = []
        bytes.appendWire(size) { metric.write(to: &$0) }
        bytes.withUnsafeBytes { sink.append($0, header: header) }
    }
}

extension MetricData {
    /// The same metric without the exemplars of its points; `nil` if it has none.
    fileprivate var withoutExemplars: MetricData? {
        func bare<Point>(_ points: [Point], _ exemplars: WritableKeyPath<Point, [Exemplar]>) -> [Point]? {
            guard points.contains(where: { !$0[keyPath: exemplars].isEmpty }) else { return nil }
            return points.map { point in
                var point = point
                point[keyPath: exemplars] = []
                return point
            }
        }
        let points: Points?
        switch data {
        case .gauge(let all): points = bare(all, \.exemplars).map { .gauge($0) }
        case .sum(let all, let temporality, let isMonotonic):
            points = bare(all, \.exemplars).map { .sum($0, temporality: temporality, isMonotonic: isMonotonic) }
        case .histogram(let all, let temporality):
            points = bare(all, \.exemplars).map { .histogram($0, temporality: temporality) }
        case .exponentialHistogram(let all, let temporality):
            points = bare(all, \.exemplars).map { .exponentialHistogram($0, temporality: temporality) }
        case .summary, .unknown: points = nil
        }
        return points.map { MetricData(name: name, description: description, unit: unit, data: $0) }
    }
}
