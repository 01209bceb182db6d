import Foundation
import Testing

@testable import Symbolication

/// Tests of the symbolizer with real llvm-symbolizer and programs built by the real compiler.
@Suite(.timeLimit(.minutes(5))) struct SymbolizerTests {
    private static let outer = "$s4Shop5outeryS2iF"
    private static let add = "$s4Shop4CartC3addyySiF"

    @Test(arguments: BuiltProgram.Mode.allCases)
    func `an address is resolved to its function, file and line, and to inlined functions`(
        mode: BuiltProgram.Mode
    ) async throws {
        let program = try BuiltProgram(mode)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let id = try #require(try store.add(program.file).first?.symbols.buildID)
        let symbolizer = Symbolizer(store: store)
        let add = try program.function(Self.add)
        let outer = try program.function(Self.outer)
        let places = (outer.address..<outer.address + outer.size).map { ImageAddress(buildID: id, offset: $0) }
        let responses = try await symbolizer.symbolize([ImageAddress(buildID: id, offset: add.address)] + places)
        await symbolizer.stop()

        let first = try #require(responses[0].frames?.last)
        #expect(first.function == "Cart.add(_:)")
        #expect(first.file.hasSuffix("/main.swift"))
        #expect(first.line == 10)
        #expect(responses[1].frames?.last?.function == "outer(_:)")
        #expect(responses[1].frames?.last?.line == 5)
        guard mode == .release else { return }
        let inlined = responses.compactMap(\.frames).first { frames in
            frames.contains { $0.function == "inner(_:by:)" && $0.line == 3 && $0.isInlined }
        }
        let caller = try #require(inlined?.last)
        #expect(caller.function == "outer(_:)")
        #expect(caller.line == 6)
        #expect(!caller.isInlined)
    }

    @Test func `many addresses are resolved in order, and equal addresses give equal results`() async throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let id = try #require(try store.add(program.file).first?.symbols.buildID)
        let symbolizer = Symbolizer(store: store)
        let addresses = [try program.function(Self.add).address, try program.function(Self.outer).address]
        let places = (0..<5_000).map { ImageAddress(buildID: id, offset: addresses[$0 % 2]) }
        let responses = try await symbolizer.symbolize(places)
        await symbolizer.stop()
        #expect(responses.count == places.count)
        #expect(
            responses.enumerated().allSatisfy { index, response in
                response.frames?.last?.function == (index % 2 == 0 ? "Cart.add(_:)" : "outer(_:)")
            })
    }

    @Test func `an unknown build and an address outside all functions have different results`() async throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let id = try #require(try store.add(program.file).first?.symbols.buildID)
        let other = try #require(BuildID("00112233445566778899"))
        let symbolizer = Symbolizer(store: store)
        let responses = try await symbolizer.symbolize([
            ImageAddress(buildID: other, offset: 16), ImageAddress(buildID: id, offset: 1 << 40),
        ])
        await symbolizer.stop()
        #expect(responses == [.unknownBuild, .unknownPlace])
    }

    @Test func `the symbolizer beside the program, as in an archive, comes before one in PATH`() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? files.removeItem(at: folder) }
        for name in ["archive", "path"] {
            let tool = folder.appendingPathComponent("\(name)/llvm-symbolizer")
            try files.createDirectory(at: tool.deletingLastPathComponent(), withIntermediateDirectories: true)
            try "#!/bin/sh\n".write(to: tool, atomically: true, encoding: .utf8)
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        }
        let program = folder.appendingPathComponent("archive/astrolabe")
        let path = folder.appendingPathComponent("path").path
        let found = try Toolchain.find(environment: ["PATH": path], program: program)
        #expect(found.symbolizer.path.hasSuffix("archive/llvm-symbolizer"))
    }

    @Test func `without the toolchain's library the runtime demangles Swift names`() {
        let name = Demangler(library: nil).name("$s4Shop9CartModelC3addyyAA7ProductVF")
        #expect(name == "Shop.CartModel.add(Shop.Product) -> ()")
    }

    @Test func `without llvm-symbolizer the error says how to install it`() async throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let id = try #require(try store.add(program.file).first?.symbols.buildID)
        let symbolizer = Symbolizer(store: store, environment: ["PATH": program.folder.path])
        await #expect(throws: SymbolError.noSymbolizer) {
            try await symbolizer.symbolize([ImageAddress(buildID: id, offset: 1)])
        }
        #expect(SymbolError.noSymbolizer.description.contains("ASTROLABE_SYMBOLIZER"))
    }

    @Test func `a symbolizer that does not respond is stopped after its timeout, and an exit is reported`()
        async throws
    {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let id = try #require(try store.add(program.file).first?.symbols.buildID)
        for (script, expected) in [("exec sleep 60", "timed out"), ("exit 3", "failed")] {
            let tool = program.folder.appendingPathComponent("tool-\(expected.prefix(2))")
            try "#!/bin/sh\n\(script)\n".write(to: tool, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
            var limits = Symbolizer.Limits()
            // On a slow machine, a tool that fails takes its time, too.
            if expected == "timed out" { limits.responseTimeout = .milliseconds(300) }
            let symbolizer = Symbolizer(
                store: store, limits: limits, environment: [Toolchain.settingName: tool.path, "PATH": "/bin"],
            )
            let error = await #expect(throws: SymbolError.self) {
                try await symbolizer.symbolize([ImageAddress(buildID: id, offset: 1)])
            }
            #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
        }
    }
}

extension SymbolAddition {
    var symbols: StoredSymbols {
        switch self {
        case .added(let symbols), .known(let symbols): symbols
        }
    }
}

extension SymbolResult {
    var frames: [SourceFrame]? {
        if case .frames(let frames) = self { frames } else { nil }
    }
}
