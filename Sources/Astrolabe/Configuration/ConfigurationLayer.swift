import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeSessionReplay
import AstrolabeTelemetryModel
import AstrolabeViewTracing
import Foundation

/// What one source says; what it does not mention is left to a weaker one.
struct ConfigurationLayer: Sendable {
    var serviceName: String?
    var serviceVersion: String?
    var resourceAttributes = Attributes()
    var endpoint: URL?
    var headers: [String: String] = [:]
    var timeout: Duration?
    var isCompressed: Bool?
    /// What is different for spans, for log records and for metrics.
    var signals = (traces: OTLPEndpoint.Signal(), logs: OTLPEndpoint.Signal(), metrics: OTLPEndpoint.Signal())
    var metricTemporality: AggregationTemporality?
    var eventCountLimit: Int?
    var linkCountLimit: Int?
    var eventOrLinkAttributeCountLimit: Int?
    var isDisabled: Bool?
    var consent: TelemetryConsent?
    var uploadsOnCellular: Bool?
    var sampler: (any Sampler)?
    var propagator: (any TextMapPropagator)?
    var attributeCountLimit: Int?
    var attributeValueLengthLimit: Int?
    var viewTracing: ViewTracingMode?
    var flushInterval: Duration?
    var metricInterval: Duration?
    var histogramAggregation: HistogramAggregation?
    var exemplars: ExemplarFilter?
    var exceptionSignal: ExceptionSignal?
    var disabledSignals: Set<RecordKind> = []
    var health: HealthConfiguration.Parts?
    var isReplayEnabled: Bool?
    var replayMasking: ReplayConfiguration.Masking?
    var replayUnmasked: [String]?
    var isDebug: Bool?
    /// Keys that the source has and this version does not know, as `section.key`.
    var unknownKeys: [String] = []
    /// What could not be read and is ignored, a line each.
    var warnings: [String] = []

    /// Overwrites what this layer mentions.
    func apply(to configuration: inout TelemetryConfiguration) {
        if let serviceName { configuration.serviceName = serviceName }
        if let serviceVersion { configuration.serviceVersion = serviceVersion }
        configuration.resourceAttributes.merge(resourceAttributes)
        let isEndpointGiven = configuration.isEndpointGiven
        if let endpoint {
            var moved = configuration.endpoint ?? OTLPEndpoint(url: endpoint)
            moved.url = endpoint
            configuration.endpoint = moved
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            configuration.endpoint?.setHeader(name, to: value)
        }
        if let timeout { configuration.endpoint?.timeout = timeout }
        if let isCompressed { configuration.endpoint?.isCompressed = isCompressed }
        configuration.endpoint?.traces.merge(signals.traces)
        configuration.endpoint?.logs.merge(signals.logs)
        configuration.endpoint?.metrics.merge(signals.metrics)
        // Headers and timeouts name no server.
        if [endpoint, signals.traces.url, signals.logs.url, signals.metrics.url].allSatisfy({ $0 == nil }) {
            configuration.isEndpointGiven = isEndpointGiven
        }
        if let metricTemporality { configuration.metricTemporality = metricTemporality }
        if let eventCountLimit { configuration.limits.eventCount = eventCountLimit }
        if let linkCountLimit { configuration.limits.linkCount = linkCountLimit }
        if let limit = eventOrLinkAttributeCountLimit { configuration.limits.attributeCountPerEventOrLink = limit }
        if let isDisabled { configuration.isEnabled = !isDisabled }
        if let uploadsOnCellular { configuration.policy.uploadsOnCellular = uploadsOnCellular }
        if let consent { configuration.consent = consent }
        if let sampler { configuration.sampler = sampler }
        if let propagator { configuration.propagator = propagator }
        if let attributeCountLimit { configuration.limits.attributeCount = attributeCountLimit }
        if let attributeValueLengthLimit { configuration.limits.attributeValueLength = attributeValueLengthLimit }
        if let viewTracing { configuration.viewTracing = viewTracing }
        if let flushInterval { configuration.flushInterval = flushInterval }
        if let metricInterval { configuration.metricInterval = metricInterval }
        configuration.disabledSignals.formUnion(disabledSignals)
        if let exceptionSignal { configuration.exceptionSignal = exceptionSignal }
        if let exemplars { configuration.exemplars = exemplars }
        if let histogramAggregation { configuration.histogramAggregation = histogramAggregation }
        if let health { configuration.health.keep(health) }
        if let isReplayEnabled { configuration.replay.isEnabled = isReplayEnabled }
        if let replayMasking { configuration.replay.masking = replayMasking }
        if let replayUnmasked { configuration.replay.unmasked = Set(replayUnmasked) }
        if isDebug == true { configuration.onDiagnostic = DiagnosticLog.write }
    }
}

extension OTLPEndpoint.Signal {
    /// Takes what `other` mentions.
    fileprivate mutating func merge(_ other: OTLPEndpoint.Signal) {
        url = other.url ?? url
        headers = other.headers ?? headers
        timeout = other.timeout ?? timeout
        isCompressed = other.isCompressed ?? isCompressed
    }
}
