import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

/// `astrolabe simulate`, with the app, the backend and the console as they are.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `Simulate` {
    private static let folder = Repository.file("Examples/AstronomyShop/Scenarios")

    private static var shipped: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.sorted()
    }

    @Test func `finds the scenarios that ship`() {
        #expect(
            Set(Self.shipped).isSuperset(of: [
                "busy-processor.yaml", "checkout.yaml", "crash.yaml", "hang.yaml", "nothing-lost.yaml",
                "product-browsing.yaml",
                "shopping-cart.yaml", "slow-animation.yaml",
            ]))
    }

    @Test(arguments: shipped)
    func `plays a scenario that ships, and it comes true`(file: String) async throws {
        let (status, output) = try await Executable.run(["simulate", Self.folder.appendingPathComponent(file).path])
        #expect(status == 0, "\(output)")
        #expect(output.contains("passed  \(file)"), "\(output)")
        #expect(output.contains("1 of 1 scenarios came true."))
    }

    @Test func `says what came instead, and fails`() async throws {
        let file = try Written("steps:\n  - launch\n  - wait: moon\n    within: 0.5\nscenario: The moon appears")
        let (status, output) = try await Executable.run(["simulate", file.path])
        #expect(status != 0)
        #expect(output.contains("failed  a.yaml  The moon appears"), "\(output)")
        #expect(output.contains("line 3: waited 0.5 s in vain: moon\nThe app is in front."), "\(output)")
        #expect(output.contains("(go-shopping)"))
        #expect(output.contains("0 of 1 scenarios came true."))
    }

    @Test func `reads all before it plays one, and names file and line of a fault`() async throws {
        let file = try Written("scenario: A slip\nsteps:\n  - launch\n  - tab: moon")
        let good = Self.folder.appendingPathComponent("crash.yaml").path
        let (status, output) = try await Executable.run(["simulate", good, file.path])
        #expect(status != 0)
        #expect(output.contains("a.yaml: line 4: expected one of tap, type"), "\(output)")
        #expect(!output.contains("passed"))
        let missing = try await Executable.run(["simulate", "nowhere.yaml"])
        #expect(missing.status != 0)
        #expect(missing.output.contains("nowhere.yaml: there is no such file or folder"))
    }

    /// A file with a scenario, for as long as it is referred to.
    private final class Written {
        let path: String
        private let folder = TemporaryDirectory()

        init(_ text: String) throws {
            try PrivateFiles.makeDirectory(folder.path)
            path = folder.path + "/a.yaml"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}
