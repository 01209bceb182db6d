import AstrolabeTestSupport
import Foundation
import Testing

/// References in the object code of the handlers.
@Suite struct HandlerSafetyTests {
    /// Functions that compilers call by themselves and that do nothing but store.
    static let harmless: Set = ["memset", "memcpy", "memmove"]

    @Test(arguments: FixtureBuild.tested)
    func `the handlers call nothing outside of their own file`(_ build: FixtureBuild) throws {
        let executable = try #require(build.executable, "the \(build.rawValue) build of HealthFixture does not exist")
        let object = executable.deletingLastPathComponent()
            .appendingPathComponent("CAstrolabeCrashCapture.build/CrashHandler.c.o")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["nm", "--undefined-only", "--format=posix", object.path]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let names = Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(names.subtracting(Self.harmless) == [])
    }
}
