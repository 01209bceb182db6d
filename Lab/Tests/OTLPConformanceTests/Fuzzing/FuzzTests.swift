import AstrolabeFuzz
import AstrolabeTestSupport
import Foundation
import Testing

@Suite struct `Damaged input` {
    /// `./astrolabe fuzz` runs more inputs, in release.
    @Test func `is refused in words or read within its bounds`() throws {
        let inputs = Thoroughness.count(1_500, thorough: 200_000)
        var fuzzer = FuzzDecoder(seed: 2_026)
        for index in 0..<inputs { try fuzzer.run(index) }
        #expect(fuzzer.tally.equivalences == (inputs + 9) / 10)
        for target in Target.allCases {
            #expect(fuzzer.tally.refused[target, default: 0] > 0, "\(target) refused nothing")
            #expect(fuzzer.tally.decoded[target, default: 0] > 0, "\(target) decoded nothing")
        }
    }

    @Test func `that was of interest once still is handled`() throws {
        let folder = try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") }
        try #require(files.count > 10)
        for file in files {
            var fuzzer = FuzzDecoder(seed: 0)
            do {
                try fuzzer.replay(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }
}
