// One import gives a test the conditions, too: `import AstrolabeTesting`.
@_exported public import DeviceConditions
