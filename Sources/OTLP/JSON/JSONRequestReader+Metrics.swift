import AstrolabeTelemetryModel

extension MetricData {
    static let jsonNames = (resources: "resourceMetrics", scopes: "scopeMetrics", records: "metrics")

    static func read(with reader: inout JSONRequestReader) throws(OTLPDecodingError) -> MetricData {
        try reader.metric()
    }
}

extension JSONRequestReader {
    fileprivate mutating func metric() throws(OTLPDecodingError) -> MetricData {
        var metric = MetricBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "name": metric.name = try text()
                case "description": metric.description = try text()
                case "unit": metric.unit = try text()
                case "gauge": try points(of: .gauge, into: &metric)
                case "sum": try points(of: .sum, into: &metric)
                case "histogram": try points(of: .histogram, into: &metric)
                case "exponentialHistogram": try points(of: .exponentialHistogram, into: &metric)
                case "summary": try points(of: .summary, into: &metric)
                case "metadata": metric.metadata = try attributes()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return metric.finish(&budget)
    }

    private mutating func points(
        of kind: MetricBuilder.Kind, into metric: inout MetricBuilder,
    ) throws(OTLPDecodingError) {
        metric.begin(kind)
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch (name, kind) {
                case ("dataPoints", .gauge), ("dataPoints", .sum):
                    try elements(into: &metric.numberPoints) { (reader) throws(OTLPDecodingError) in
                        try reader.numberPoint()
                    }
                case ("dataPoints", .histogram):
                    try elements(into: &metric.histogramPoints) { (reader) throws(OTLPDecodingError) in
                        try reader.histogramPoint()
                    }
                case ("dataPoints", .exponentialHistogram):
                    try elements(into: &metric.exponentialHistogramPoints) { (reader) throws(OTLPDecodingError) in
                        try reader.exponentialHistogramPoint()
                    }
                case ("dataPoints", .summary):
                    try elements(into: &metric.summaryPoints) { (reader) throws(OTLPDecodingError) in
                        try reader.summaryPoint()
                    }
                case ("aggregationTemporality", .sum), ("aggregationTemporality", .histogram),
                    ("aggregationTemporality", .exponentialHistogram):
                    metric.temporality = try enumeration(.temporality)
                case ("isMonotonic", .sum): metric.isMonotonic = try bool()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
    }

    private mutating func numberPoint() throws(OTLPDecodingError) -> NumberPoint? {
        var point = NumberPointBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "attributes": point.attributes = try attributes()
                case "startTimeUnixNano": point.startTimeUnixNano = try uint64()
                case "timeUnixNano": point.timeUnixNano = try uint64()
                case "asDouble": point.value = .double(try double())
                case "asInt": point.value = .int(try int64())
                case "flags": point.flags = try uint32()
                case "exemplars": point.exemplars = try exemplars()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return point.finish(&budget)
    }

    private mutating func histogramPoint() throws(OTLPDecodingError) -> HistogramPoint? {
        let start = scanner.position
        var point = HistogramPointBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "attributes": point.attributes = try attributes()
                case "startTimeUnixNano": point.startTimeUnixNano = try uint64()
                case "timeUnixNano": point.timeUnixNano = try uint64()
                case "count": point.count = try uint64()
                case "sum": point.sum = try double()
                case "bucketCounts":
                    try elements(into: &point.bucketCounts) { (reader) throws(OTLPDecodingError) in
                        try reader.uint64()
                    }
                case "explicitBounds":
                    try elements(into: &point.explicitBounds) { (reader) throws(OTLPDecodingError) in
                        try reader.double()
                    }
                case "flags": point.flags = try uint32()
                case "min": point.min = try double()
                case "max": point.max = try double()
                case "exemplars": point.exemplars = try exemplars()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return try point.finish(at: start, &budget)
    }
}
