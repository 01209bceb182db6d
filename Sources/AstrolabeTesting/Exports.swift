// The public surface beside this module's own declarations: the device conditions that a test sets, the records that a
// collector returns, and the protocol of sinks. See Docs/Decisions/0044-public-surface.md. The SDK itself is
// `import Astrolabe`.

@_exported public import struct AstrolabeDeviceConditions.Conditions
@_exported public import struct AstrolabeDeviceConditions.ConditionsChange
@_exported public import struct AstrolabeDeviceConditions.ConditionsChanges
@_exported public import protocol AstrolabeDeviceConditions.ConditionsMonitor
@_exported public import class AstrolabeDeviceConditions.ConditionsObservation
@_exported public import class AstrolabeDeviceConditions.ConditionsStore
@_exported public import struct AstrolabeDeviceConditions.ConditionsUpdate
@_exported public import struct AstrolabeDeviceConditions.DeviceContext
@_exported public import struct AstrolabeDeviceConditions.LifecycleTransition
@_exported public import enum AstrolabeDeviceConditions.MemoryPressure
@_exported public import struct AstrolabeDeviceConditions.NetworkPath
@_exported public import struct AstrolabeDeviceConditions.Power
@_exported public import enum AstrolabeDeviceConditions.RadioTechnology
@_exported public import enum AstrolabeDeviceConditions.ThermalState
@_exported public import struct AstrolabeTelemetryModel.HistogramPoint
@_exported public import struct AstrolabeTelemetryModel.InstrumentationScope
@_exported public import struct AstrolabeTelemetryModel.LogRecordData
@_exported public import struct AstrolabeTelemetryModel.MetricData
@_exported public import enum AstrolabeTelemetryModel.MetricNumber
@_exported public import struct AstrolabeTelemetryModel.NumberPoint
@_exported public import enum AstrolabeTelemetryModel.Priority
@_exported public import struct AstrolabeTelemetryModel.RecordHeader
@_exported public import enum AstrolabeTelemetryModel.RecordKind
@_exported public import protocol AstrolabeTelemetryModel.RecordSink
@_exported public import struct AstrolabeTelemetryModel.Resource
@_exported public import struct AstrolabeTelemetryModel.ScopeNumber
@_exported public import struct AstrolabeTelemetryModel.SpanData
@_exported public import struct AstrolabeTelemetryModel.SpanEvent
@_exported public import struct AstrolabeTelemetryModel.SpanLink
