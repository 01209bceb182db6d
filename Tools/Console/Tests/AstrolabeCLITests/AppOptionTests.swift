import ArgumentParser
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite struct `The options of an app on the phone` {
    @Test func `name a device of the phone`() throws {
        #expect(try AppOptions.parse(["--device", "iphone-se-3"]).device == "iphone-se-3")
        #expect(try AppOptions.parse([]).device == nil)
        let error = #expect(throws: (any Error).self) { try AppOptions.parse(["--device", "iphone-1"]) }
        let message = error.map { AppOptions.message(for: $0) } ?? ""
        #expect(message.contains("expected one of iphone-se-3"))
        #expect(message.hasSuffix("found iphone-1"))
    }

    @Test func `need a phone for a device`() throws {
        let error = #expect(throws: (any Error).self) { try DemoCommand.parse(["--once", "--device", "ipad-mini"]) }
        #expect(error.map { DemoCommand.message(for: $0).contains("--once runs no phone") } == true)
    }
}
