// The public surface: what `import Astrolabe` gives an app, declaration by declaration. See
// Docs/Decisions/0044-public-surface.md. A module's other declarations stay invisible to the app.

// Sessions, views, health and replay
@_exported public import struct AstrolabeAppHealth.HangThresholds
@_exported public import struct AstrolabeAppHealth.HealthConfiguration
// Delivery and policy
@_exported public import enum AstrolabeDelivery.DeliveryBlocker
@_exported public import struct AstrolabeDelivery.DeliveryReport
@_exported public import enum AstrolabeDelivery.DropReason
@_exported public import struct AstrolabeDelivery.OTLPEndpoint
@_exported public import struct AstrolabeDelivery.OTLPRequest
@_exported public import protocol AstrolabeDelivery.OTLPTransport
@_exported public import struct AstrolabeDelivery.RecordLedger
@_exported public import enum AstrolabeDelivery.SendResult
@_exported public import class AstrolabeDelivery.URLSessionTransport
@_exported public import enum AstrolabeDeviceConditions.LifecycleState
@_exported public import struct AstrolabePolicy.ModeTable
@_exported public import struct AstrolabePolicy.PolicyConfiguration
@_exported public import struct AstrolabePolicy.PolicyDecision
@_exported public import struct AstrolabePolicy.PolicyReason
@_exported public import enum AstrolabePolicy.TelemetryMode
// Recording
@_exported public import struct AstrolabeRecording.AlwaysOffSampler
@_exported public import struct AstrolabeRecording.AlwaysOnSampler
@_exported public import struct AstrolabeRecording.AlwaysRecordSampler
@_exported public import struct AstrolabeRecording.B3Propagator
@_exported public import struct AstrolabeRecording.Baggage
@_exported public import struct AstrolabeRecording.BaggagePropagator
@_exported public import struct AstrolabeRecording.ComposableSampler
@_exported public import struct AstrolabeRecording.CompositePropagator
@_exported public import struct AstrolabeRecording.CompositeSampler
@_exported public import struct AstrolabeRecording.EventLogger
@_exported public import enum AstrolabeRecording.ExceptionSignal
@_exported public import enum AstrolabeRecording.ExemplarFilter
@_exported public import struct AstrolabeRecording.FinishedSpan
@_exported public import struct AstrolabeRecording.LogRecord
@_exported public import protocol AstrolabeRecording.LogRecordProcessor
@_exported public import struct AstrolabeRecording.Meter
@_exported public import struct AstrolabeRecording.MetricView
@_exported public import enum AstrolabeRecording.OutgoingRecord
@_exported public import struct AstrolabeRecording.ParentBasedSampler
@_exported public import struct AstrolabeRecording.RatioSampler
@_exported public import struct AstrolabeRecording.RecordLimits
@_exported public import struct AstrolabeRecording.RedactionOptions
@_exported public import protocol AstrolabeRecording.Sampler
@_exported public import struct AstrolabeRecording.SamplingInput
@_exported public import struct AstrolabeRecording.SamplingResult
@_exported public import struct AstrolabeRecording.SpanBuilder
@_exported public import protocol AstrolabeRecording.SpanProcessor
@_exported public import struct AstrolabeRecording.TelemetryContext
@_exported public import protocol AstrolabeRecording.TextMapPropagator
@_exported public import struct AstrolabeRecording.TraceContextPropagator
@_exported public import struct AstrolabeRecording.Tracer
// Vocabulary
@_exported public import enum AstrolabeSemantics.AttributeKey
@_exported public import enum AstrolabeSemantics.EventName
@_exported public import struct AstrolabeSessionReplay.ReplayConfiguration
@_exported public import struct AstrolabeSessions.SessionLimits
@_exported public import struct AstrolabeSessions.SessionSnapshot
// Values that records carry
@_exported public import enum AstrolabeTelemetryModel.AggregationTemporality
@_exported public import protocol AstrolabeTelemetryModel.AttributeConvertible
@_exported public import enum AstrolabeTelemetryModel.AttributeValue
@_exported public import struct AstrolabeTelemetryModel.Attributes
@_exported public import struct AstrolabeTelemetryModel.Resource
@_exported public import enum AstrolabeTelemetryModel.Severity
@_exported public import struct AstrolabeTelemetryModel.SpanContext
@_exported public import struct AstrolabeTelemetryModel.SpanEvent
@_exported public import struct AstrolabeTelemetryModel.SpanID
@_exported public import enum AstrolabeTelemetryModel.SpanKind
@_exported public import struct AstrolabeTelemetryModel.SpanLink
@_exported public import enum AstrolabeTelemetryModel.SpanStatus
@_exported public import struct AstrolabeTelemetryModel.TraceID
@_exported public import struct AstrolabeTelemetryModel.TraceState
@_exported public import enum AstrolabeViewTracing.ViewRole
@_exported public import class AstrolabeViewTracing.ViewTracer
@_exported public import enum AstrolabeViewTracing.ViewTracingMode
