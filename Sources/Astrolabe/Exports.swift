// One import gives an app the whole vocabulary: `import Astrolabe`.
@_exported public import AstrolabeAppHealth
@_exported public import AstrolabeDelivery
@_exported public import AstrolabeDeviceConditions
@_exported public import AstrolabePolicy
@_exported public import AstrolabeRecording
@_exported public import AstrolabeSemantics
@_exported public import AstrolabeSessionReplay
@_exported public import AstrolabeSessions
@_exported public import AstrolabeTelemetryModel
@_exported public import AstrolabeViewTracing
