import AstrolabePlatform
package import AstrolabeTelemetryModel
import AstrolabeWire

extension RecordingCore {
    /// Records a metric that is already aggregated, with the times and attributes of its points as they are.
    package func record(_ metric: MetricData, scope: InstrumentationScope) {
        append(
            metric,
            header: RecordHeader(
                kind: .metric, priority: .normal, scope: register(scope), timeUnixNano: clock.now, ), )
    }

    /// Appends a metric as one record, or as more if its points would not fit in one.
    func append(_ metric: MetricData, header: RecordHeader) {
        let size = metric.wireSize
        if size > limits.recordSize, let (first, second) = metric.halves {
            append(first, header: header)
            append(second, header: header)
            return
        }
        var bytes: [UInt8] = []
        bytes.appendWire(size) { metric.write(to: &$0) }
        bytes.withUnsafeBytes { sink.append($0, header: header) }
    }
}
