// One import gives a test the SDK and the conditions, too: `import AstrolabeTesting`.
@_exported public import Astrolabe
@_exported public import AstrolabeDeviceConditions
