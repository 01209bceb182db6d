import Testing

@testable import Symbolication

@Test(arguments: ["0a1B2c3d", "0A1B-2C3D"]) func `a build id is read in either case and with dashes`(text: String) {
    #expect(BuildID(text)?.hex == "0a1b2c3d")
}

@Test(arguments: ["", "0a1b2c", "0a1b2c3", "0a1b2c3g", "00000000", String(repeating: "ab", count: 65)])
func `what cannot be a build id is none`(text: String) {
    #expect(BuildID(text) == nil)
}
