import AstrolabeTelemetryModel

/// Reads exponential histograms, summaries and exemplars.
extension JSONRequestReader {
    mutating func exponentialHistogramPoint() throws(OTLPDecodingError) -> ExponentialHistogramPoint? {
        var point = ExponentialHistogramPointBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "attributes": point.attributes = try attributes()
                case "startTimeUnixNano": point.startTimeUnixNano = try uint64()
                case "timeUnixNano": point.timeUnixNano = try uint64()
                case "count": point.count = try uint64()
                case "sum": point.sum = try double()
                case "scale": point.scale = try int32()
                case "zeroCount": point.zeroCount = try uint64()
                case "positive": point.positive = try buckets()
                case "negative": point.negative = try buckets()
                case "flags": point.flags = try uint32()
                case "exemplars": point.exemplars = try exemplars()
                case "min": point.min = try double()
                case "max": point.max = try double()
                case "zeroThreshold": point.zeroThreshold = try double()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return point.finish(&budget)
    }

    private mutating func buckets() throws(OTLPDecodingError) -> ExponentialHistogramPoint.Buckets {
        var buckets = ExponentialHistogramPoint.Buckets()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "offset": buckets.offset = try int32()
                case "bucketCounts":
                    try elements(into: &buckets.counts) { (reader) throws(OTLPDecodingError) in
                        try reader.uint64()
                    }
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return buckets
    }

    mutating func summaryPoint() throws(OTLPDecodingError) -> SummaryPoint? {
        var point = SummaryPointBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "attributes": point.attributes = try attributes()
                case "startTimeUnixNano": point.startTimeUnixNano = try uint64()
                case "timeUnixNano": point.timeUnixNano = try uint64()
                case "count": point.count = try uint64()
                case "sum": point.sum = try double()
                case "quantileValues":
                    try elements(into: &point.quantiles) { (reader) throws(OTLPDecodingError) in
                        try reader.quantile()
                    }
                case "flags": point.flags = try uint32()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return point.finish(&budget)
    }

    private mutating func quantile() throws(OTLPDecodingError) -> SummaryPoint.Quantile {
        var quantile = SummaryPoint.Quantile(quantile: 0, value: 0)
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "quantile": quantile.quantile = try double()
                case "value": quantile.value = try double()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return quantile
    }

    mutating func exemplars() throws(OTLPDecodingError) -> [Exemplar] {
        var exemplars: [Exemplar] = []
        try elements(into: &exemplars) { (reader) throws(OTLPDecodingError) in try reader.exemplar() }
        return exemplars
    }

    private mutating func exemplar() throws(OTLPDecodingError) -> Exemplar {
        var exemplar = ExemplarBuilder()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "filteredAttributes": exemplar.filteredAttributes = try attributes()
                case "timeUnixNano": exemplar.timeUnixNano = try uint64()
                case "asDouble": exemplar.value = .double(try double())
                case "asInt": exemplar.value = .int(try int64())
                case "traceId": exemplar.traceID = try traceID()
                case "spanId": exemplar.spanID = try spanID()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return exemplar.finish(&budget)
    }
}
