import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

/// Tests of `astrolabe simulate` with the real app, backend and console.
@Suite(.serialized, .timeLimit(.minutes(15))) struct `Simulate` {
    private static let folder = Repository.file("Examples/AstronomyShop/Scenarios")

    private static var shipped: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.sorted()
    }

    @Test func `finds the included scenarios`() {
        #expect(
            Set(Self.shipped).isSuperset(of: [
                "busy-processor.yaml", "checkout.yaml", "crash.yaml", "hang.yaml", "kept-recording.yaml",
                "nothing-lost.yaml", "product-browsing.yaml", "sampled-out-crash.yaml",
                "sampled-out-payment.yaml", "sampled-out.yaml", "shopping-cart.yaml", "slow-animation.yaml",
            ]))
    }

    @Test func `plays the scenarios that ship, and they pass`() async throws {
        // Some wait for the app most of the time. The others play meanwhile.
        let waiting = ["busy-processor.yaml", "hang.yaml", "slow-animation.yaml"]
        async let first: Void = play(Self.shipped.filter { waiting.contains($0) })
        async let others: Void = play(Self.shipped.filter { !waiting.contains($0) })
        _ = try await (first, others)
    }

    private func play(_ files: [String]) async throws {
        let paths = files.map { Self.folder.appendingPathComponent($0).path }
        let (status, output) = try await Executable.run(["simulate"] + paths)
        #expect(status == 0, "\(output)")
        for file in files { #expect(output.contains("passed  \(file)"), "\(output)") }
        #expect(output.contains("\(files.count) of \(files.count) scenarios passed"), "\(output)")
    }

    @Test func `says what came instead, and fails`() async throws {
        let file = try Written("steps:\n  - launch\n  - wait: moon\n    timeout: 0.5\nscenario: The moon appears")
        let (status, output) = try await Executable.run(["simulate", file.path])
        #expect(status != 0)
        #expect(output.contains("failed  a.yaml  The moon appears"), "\(output)")
        #expect(
            output.contains("line 3: timed out after 0.5 s waiting for \"moon\"\nThe app is in the foreground."),
            "\(output)")
        #expect(output.contains("(go-shopping)"))
        #expect(output.contains("0 of 1 scenarios passed"))
    }

    @Test func `reads all files before it runs one, and reports the file and line of an error`() async throws {
        let file = try Written("scenario: A slip\nsteps:\n  - launch\n  - tab: moon")
        let good = Self.folder.appendingPathComponent("crash.yaml").path
        let (status, output) = await CommandInProcess.run(["simulate", good, file.path])
        #expect(status != 0)
        #expect(output.contains("a.yaml: line 4: expected one of tap, type"), "\(output)")
        #expect(!output.contains("passed"))
        let missing = await CommandInProcess.run(["simulate", "nowhere.yaml"])
        #expect(missing.status != 0)
        #expect(missing.output.contains("nowhere.yaml: no such file or folder"))
    }

    /// A scenario file that is deleted when this object is.
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
