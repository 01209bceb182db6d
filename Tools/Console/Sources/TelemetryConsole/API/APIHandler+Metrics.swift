import AstrolabeTelemetryModel
import ConsoleModel
import HTTPTypes
import TelemetryQuery

extension APIHandler {
    /// Answers with a metric over time, by default of the last day, in at most 90 steps.
    func metricDetail(_ name: String, query: QueryReader) async throws -> MetricAnswer {
        let now = Int64(clamping: configuration.store.now())
        var question = Query()
        question.time = .last(nanoseconds: 86_400_000_000_000)
        if let clause = query.text("time") {
            do { question.time = try Query(text: "count \(clause)").time } catch {
                throw APIFailure(.badRequest, "time: \(error.description)")
            }
        } else if let times = try query.times() {
            // A time without an end lasts until now.
            let end = min(times.upperBound, max(now, times.lowerBound) + 1)
            question.time = .between(from: times.lowerBound, to: max(end, times.lowerBound + 1))
        }
        let window: TimeWindow
        do {
            window = try QueryPlan(question, now: now).window
        } catch {
            throw APIFailure(.badRequest, error.description)
        }
        let steps = (0..<window.stepCount).map { index in
            let bounds = window.bounds(ofStep: index)
            return bounds.start..<bounds.end
        }
        let asked = MetricDetailQuery(name: name, steps: steps, group: query.text("by"))
        return MetricAnswer(
            window: window, group: asked.group, detail: try found(await store.metricDetail(asked), "metric", name))
    }
}

/// A metric over time in the shape of a query's answer, so that the same charts draw it.
struct MetricAnswer: Sendable {
    let window: TimeWindow
    let group: String?
    let detail: MetricDetail

    /// A number of each group and step.
    struct Column: Sendable {
        let name: String
        let unit: String
        let value: @Sendable (MetricSum, _ seconds: Double) -> Value

        enum Value: Sendable {
            case number(Double?)
            case bins([Distribution.Bucket])
        }
    }

    var columns: [Column] {
        let unit = detail.unit
        func number(_ name: String, _ value: @escaping @Sendable (MetricSum) -> Double?) -> Column {
            Column(name: name, unit: unit) { sum, _ in .number(sum.points > 0 ? value(sum) : nil) }
        }
        switch detail.kind {
        case .histogram, .exponentialHistogram:
            return [
                Column(name: "heatmap(value)", unit: unit) { sum, _ in .bins(sum.buckets) },
                number("p50") { $0.quantile(0.5) }, number("p95") { $0.quantile(0.95) },
                number("p99") { $0.quantile(0.99) },
                Column(name: "count", unit: "1") { sum, _ in .number(sum.count) },
            ]
        case .sum where detail.isCounter:
            return [
                Column(name: "sum", unit: unit) { sum, _ in .number(sum.sum) },
                Column(name: "rate", unit: unit + "/s") { .number($0.sum / $1) },
            ]
        case .gauge, .sum, .summary:
            return [
                number("avg") { $0.sum / Double($0.points) }, number("min") { $0.least }, number("max") { $0.most },
            ]
        }
    }
}

extension JSONText {
    mutating func append(_ answer: MetricAnswer) {
        let detail = answer.detail
        let columns = answer.columns
        object { text in
            text.member("name", detail.name)
            text.member("description", detail.description)
            text.member("unit", detail.unit)
            text.member("kind", detail.isCounter ? "counter" : detail.kind.name)
            text.member("seriesCount", detail.seriesCount)
            text.member("complete", detail.isComplete)
            text.member("keys") { $0.array(detail.keys) { $0.append($1) } }
            text.append(answer.window)
            text.member("columns") { text in
                let groups: [(name: String, unit: String?)] = answer.group.map { [($0, nil)] } ?? []
                text.array(groups + columns.map { ($0.name, $0.unit) }) { text, column in
                    text.object { text in
                        text.member("name", column.name)
                        text.member("isGroup", column.unit == nil)
                        text.member(optional: "unit", column.unit)
                    }
                }
            }
            text.member("rows") { text in
                text.array(detail.groups) { $0.append($1, of: answer, columns) }
            }
            text.member("exemplars") { text in text.array(detail.exemplars) { $0.append($1) } }
        }
    }

    private mutating func append(_ exemplar: MetricDetail.Exemplar) {
        object { text in
            text.member("timeUs", exemplar.timeUnixNano / 1_000)
            text.member("value") { $0.append(AttributeValue.double(exemplar.value)) }
            text.member("traceId", exemplar.traceID.hex)
            if exemplar.spanID.isValid { text.member("spanId", exemplar.spanID.hex) }
        }
    }

    private mutating func append(
        _ group: MetricDetail.Group, of answer: MetricAnswer, _ columns: [MetricAnswer.Column],
    ) {
        let window = answer.window
        object { text in
            if group.isOther { text.member("other", true) }
            text.member("key") { text in
                text.array(answer.group == nil ? [] : [group.key]) { text, key in
                    if let key { text.append(key) } else { text.append(raw: "null") }
                }
            }
            text.member("values") { $0.append(group.total, columns, seconds: Double(window.end - window.start) / 1e9) }
            text.member("series") { text in
                text.array(group.steps.indices) { text, index in
                    let bounds = window.bounds(ofStep: index)
                    text.append(group.steps[index], columns, seconds: Double(bounds.end - bounds.start) / 1e9)
                }
            }
        }
    }

    private mutating func append(_ sum: MetricSum, _ columns: [MetricAnswer.Column], seconds: Double) {
        array(columns) { text, column in
            switch column.value(sum, seconds) {
            case .number(let number?) where number.isFinite: text.append(AttributeValue.double(number))
            case .number: text.append(raw: "null")
            case .bins(let buckets):
                text.array(buckets) { text, bucket in
                    text.object { text in
                        text.member("low") { $0.append(AttributeValue.double(bucket.from)) }
                        text.member("high") { $0.append(AttributeValue.double(bucket.to)) }
                        text.member("count") { $0.append(AttributeValue.double(bucket.count)) }
                    }
                }
            }
        }
    }
}
