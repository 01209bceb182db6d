import ArgumentParser
import AstrolabeOTLP
import Foundation

/// Attacks the OTLP decoders and the decompressor until a number of inputs or a time is reached.
@main
struct AstrolabeFuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "AstrolabeFuzz",
        abstract: "Reads damaged OTLP and gzip input and reports what is handled wrongly.",
    )

    @Option(help: "How many inputs to read.")
    var inputs = 1_000_000

    @Option(help: "Stop after this many seconds, even if not all inputs are read.")
    var seconds = 300.0

    @Option(help: "Where the inputs begin; the same seed gives the same inputs.")
    var seed: UInt64 = 1

    @Option(help: "The number of the first input.")
    var from = 0

    @Option(help: "Where to write an input that is handled wrongly.", completion: .file())
    var finding = "fuzz-finding.bin"

    @Option(help: "Read requests of this many bytes instead that try to unfold, and report time and memory.")
    var hostile: Int?

    @Argument(help: "Files to read instead, as all readers do.", completion: .file())
    var files: [String] = []

    func run() throws {
        LastInput.keep(in: finding)
        if let hostile { return try attack(hostile) }
        var fuzzer = FuzzDecoder(seed: seed, measuresMemory: true) { _, input in LastInput.begin(input) }
        do {
            if files.isEmpty {
                try fuzz(&fuzzer)
            } else {
                for file in files { try fuzzer.replay(Array(try Data(contentsOf: URL(fileURLWithPath: file)))) }
            }
        } catch let found as Finding {
            try Data(found.input).write(to: URL(fileURLWithPath: finding))
            print("FOUND \(found)\nThe input is in \(finding); run AstrolabeFuzz with it as an argument.")
            throw ExitCode.failure
        }
        report(fuzzer.tally)
    }

    private func fuzz(_ fuzzer: inout FuzzDecoder) throws {
        let started = ContinuousClock.now
        var done = 0
        for index in from..<from + inputs {
            try fuzzer.run(index)
            done += 1
            if done % 1_000 == 0, ContinuousClock.now - started > .seconds(seconds) { break }
        }
        let elapsed = ContinuousClock.now - started
        print("\(done) inputs in \(elapsed.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))")
    }

    /// The memory of code, stacks and the allocator, beside the data.
    private static let processAllowance = 4 << 20

    /// Reads one hostile request after another and checks what each needs.
    private func attack(_ length: Int) throws {
        // While an array grows, its old storage is there beside the new one, half as much again; and the allocator
        // keeps what earlier growth has freed, which is never enough for the next step: half as much once more.
        let bound = (length * MemoryBudget.factor + MemoryBudget.base) * 2 + Self.processAllowance
        var highest = 0
        for request in HostileRequests.all(length: length) {
            LastInput.begin(request.bytes)
            let resident = HeapUse.resetPeak()
            let started = ContinuousClock.now
            let outcome = request.target.read(request.bytes)
            let duration = ContinuousClock.now - started
            let peak = HeapUse.peakResident - resident
            let verdict = if case .refused(let reason, _) = outcome { "refused: \(reason)" } else { "read" }
            print("\(request.name), \(request.bytes.count) bytes: \(duration), \(peak >> 10) KB, \(verdict)")
            guard peak <= bound, duration < .seconds(10) else {
                print("FOUND \(peak) bytes where \(bound) are allowed, or a time of 10 s and more")
                throw ExitCode.failure
            }
            highest = max(highest, peak)
        }
        print("highest: \(highest >> 10) KB, allowed: \(bound >> 10) KB")
    }

    private func report(_ tally: FuzzDecoder.Tally) {
        for target in Target.allCases {
            let decoded = tally.decoded[target, default: 0]
            let refused = tally.refused[target, default: 0]
            print("\(target.rawValue): \(decoded) decoded, \(refused) refused")
        }
        print("requests read alike in both encodings and in odd forms: \(tally.equivalences)")
        print("longest input: \(tally.longestInput) bytes")
        print("slowest input: \(tally.slowest) (number \(tally.slowestIndex))")
        print("peak memory of the process: \(HeapUse.peakResident >> 20) MB")
    }
}
