// One import gives an app the whole vocabulary: `import Astrolabe`.
@_exported public import AppHealth
@_exported public import Delivery
@_exported public import DeviceConditions
@_exported public import Policy
@_exported public import Recording
@_exported public import Semantics
@_exported public import SessionReplay
@_exported public import Sessions
@_exported public import TelemetryModel
@_exported public import ViewTracing
