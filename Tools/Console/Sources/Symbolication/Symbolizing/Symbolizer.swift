import Foundation

/// Symbolicates addresses in builds with the debug symbols of a `SymbolStore`.
///
///     let symbolizer = Symbolizer(store: store)
///     let results = try await symbolizer.symbolize([ImageAddress(buildID: id, offset: 0x1f40)])
///
/// Requests run one at a time in one `llvm-symbolizer` process, which exits when it is idle.
package actor Symbolizer {
    package nonisolated let store: SymbolStore
    private let environment: [String: String]
    private let limits: Limits
    private var tools: (toolchain: Toolchain, demangler: Demangler)?
    private var process: SymbolizerProcess?
    /// The builds that the process has read. A build that was replaced since restarts the process.
    private var read: [BuildID: StoredSymbols] = [:]
    private var requests = 0

    package struct Limits: Sendable {
        /// The timeout for one batch of addresses. The default is 60 s, because large debug files take seconds to read.
        package var responseTimeout: Duration = .seconds(60)
        /// The idle time after which the process is stopped to free its memory. The default is 2 min.
        package var idleTimeout: Duration = .seconds(120)
        /// The maximum number of addresses per request. Further ones are returned as unknown. The default is 20,000.
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

    /// Returns one result for each address, in the same order.
    ///
    /// - Throws: `SymbolError` if `llvm-symbolizer` is missing or fails. The next call starts a new process.
    package func symbolize(_ places: [ImageAddress]) throws(SymbolError) -> [SymbolResult] {
        var known: [BuildID: StoredSymbols?] = [:]
        for place in places where known[place.buildID] == nil {
            known[place.buildID] = .some(store.symbols(place.buildID))
        }
        var queries: [(index: Int, text: String)] = []
        var results = places.map { known[$0.buildID].flatMap { $0 } == nil ? SymbolResult.unknownBuild : .unknownPlace }
        for (index, place) in places.prefix(limits.places).enumerated() {
            guard let symbols = known[place.buildID].flatMap({ $0 }) else { continue }
            let address = place.offset &+ symbols.facts.baseAddress
            guard address < symbols.facts.endAddress else { continue }
            let path = store.image(place.buildID).path
            guard !path.contains(where: { $0 == "\"" || $0.isNewline }) else {
                throw .cannotStore(
                    folder: store.folder.path, detail: "its path contains a quotation mark or a line break")
            }
            queries.append((index, "\"\(path)\" 0x\(String(address, radix: 16))"))
        }
        guard !queries.isEmpty else { return results }
        let demangler = try prepare().demangler
        let lines = try run(queries.map(\.text), known.compactMapValues { $0 })
        let decoder = JSONDecoder()
        for (query, line) in zip(queries, lines) {
            guard let response = try? decoder.decode(SymbolizerLine.self, from: Data(line)) else {
                stop()
                throw .symbolizerExited(detail: "expected JSON on its output; LLVM 13 or later is required")
            }
            let frames = response.frames(demangler)
            if !frames.isEmpty { results[query.index] = .frames(frames) }
        }
        return results
    }

    /// Stops the child process. The next request starts a new one.
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

    private func run(_ queries: [String], _ builds: [BuildID: StoredSymbols]) throws(SymbolError) -> [[UInt8]] {
        if process?.isRunning == false || builds.contains(where: { read[$0.key] != nil && read[$0.key] != $0.value }) {
            stop()
        }
        do {
            let running: SymbolizerProcess
            if let process {
                running = process
            } else {
                running = try SymbolizerProcess(prepare().toolchain.symbolizer, timeout: limits.responseTimeout)
                process = running
            }
            let lines = try running.responses(to: queries)
            read.merge(builds) { $1 }
            scheduleEnd()
            return lines
        } catch {
            stop()
            throw error
        }
    }

    private func scheduleEnd() {
        requests += 1
        let seen = requests
        Task { [limits] in
            try? await Task.sleep(for: limits.idleTimeout)
            if seen == requests { stop() }
        }
    }
}
