import Foundation

/// Turns places in builds into functions, files and lines, with what a `SymbolStore` keeps.
///
///     let symbolizer = Symbolizer(store: store)
///     let answers = try await symbolizer.symbolize([ImageAddress(buildID: id, offset: 0x1f40)])
///
/// Questions wait for one another: there is one `llvm-symbolizer`, which ends when none has come for a while.
package actor Symbolizer {
    package nonisolated let store: SymbolStore
    private let environment: [String: String]
    private let limits: Limits
    private var tools: (toolchain: Toolchain, demangler: Demangler)?
    private var process: SymbolizerProcess?
    /// The files that the process has read, by which a replaced one is noticed.
    private var read: [BuildID: StoredSymbols] = [:]
    private var questions = 0

    package struct Limits: Sendable {
        /// Time for one part of the questions. 60 s by default: reading a large app's debug information takes seconds.
        package var answerTime: Duration = .seconds(60)
        /// Time without questions after which the process ends and gives its memory back. 2 min by default.
        package var idleTimeout: Duration = .seconds(120)
        /// Places in one question; more stay unanswered, as unknown places. 20,000 by default.
        package var places = 20_000

        package init() {}
    }

    package init(
        store: SymbolStore, limits: Limits = Limits(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
    ) {
        self.store = store
        self.limits = limits
        self.environment = environment
    }

    /// One answer for each place, in their order.
    ///
    /// - Throws: `SymbolError` where there is no `llvm-symbolizer`, or it fails; the next call starts another.
    package func symbolize(_ places: [ImageAddress]) throws(SymbolError) -> [SymbolAnswer] {
        var known: [BuildID: StoredSymbols?] = [:]
        for place in places where known[place.buildID] == nil {
            known[place.buildID] = .some(store.symbols(place.buildID))
        }
        var asked: [(index: Int, question: String)] = []
        var answers = places.map { known[$0.buildID].flatMap { $0 } == nil ? SymbolAnswer.unknownBuild : .unknownPlace }
        for (index, place) in places.prefix(limits.places).enumerated() {
            guard let symbols = known[place.buildID].flatMap({ $0 }) else { continue }
            let address = place.offset &+ symbols.facts.baseAddress
            guard address < symbols.facts.endAddress else { continue }
            let path = store.image(place.buildID).path
            guard !path.contains(where: { $0 == "\"" || $0.isNewline }) else {
                throw .cannotStore(
                    folder: store.folder.path, detail: "its path holds a quotation mark or a line break", )
            }
            asked.append((index, "\"\(path)\" 0x\(String(address, radix: 16))"))
        }
        guard !asked.isEmpty else { return answers }
        let demangler = try prepare().demangler
        let lines = try ask(asked.map(\.question), known.compactMapValues { $0 })
        let decoder = JSONDecoder()
        for (question, line) in zip(asked, lines) {
            guard let answer = try? decoder.decode(SymbolizerLine.self, from: Data(line)) else {
                stop()
                throw .symbolizerEnded(detail: "it answered something other than JSON; LLVM 13 or later is needed")
            }
            let frames = answer.frames(demangler)
            if !frames.isEmpty { answers[question.index] = .frames(frames) }
        }
        return answers
    }

    /// Ends the child process; a later question starts another.
    package func stop() {
        process?.end()
        process = nil
        read = [:]
    }

    private func prepare() throws(SymbolError) -> (toolchain: Toolchain, demangler: Demangler) {
        if let tools { return tools }
        let toolchain = try Toolchain.find(environment: environment)
        let found = (toolchain, Demangler(library: toolchain.demanglerLibrary))
        tools = found
        return found
    }

    private func ask(_ questions: [String], _ builds: [BuildID: StoredSymbols]) throws(SymbolError) -> [[UInt8]] {
        if process?.isRunning == false || builds.contains(where: { read[$0.key] != nil && read[$0.key] != $0.value }) {
            stop()
        }
        do {
            let running: SymbolizerProcess
            if let process {
                running = process
            } else {
                running = try SymbolizerProcess(prepare().toolchain.symbolizer, timeLimit: limits.answerTime)
                process = running
            }
            let lines = try running.answers(to: questions)
            read.merge(builds) { $1 }
            scheduleEnd()
            return lines
        } catch {
            stop()
            throw error
        }
    }

    private func scheduleEnd() {
        questions += 1
        let seen = questions
        Task { [limits] in
            try? await Task.sleep(for: limits.idleTimeout)
            if seen == questions { stop() }
        }
    }
}
