import Foundation
import Testing

@testable import Symbolication

@Suite(.timeLimit(.minutes(5))) struct SymbolStoreTests {
    @Test func `a build is kept under its build id, and found again by another process's store`() throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let folder = program.folder.appendingPathComponent("symbols")
        let added = try #require(try SymbolStore(folder: folder).add(program.file).first)
        guard case .added(let symbols) = added else {
            Issue.record("expected an addition, got \(added)")
            return
        }
        let notes = try BuiltProgram.run(["readelf", "-n", program.file.path], in: program.folder)
        #expect(notes.contains(symbols.buildID.hex))
        #expect(symbols.name == "shop")
        #expect(symbols.facts.hasLines && symbols.facts.hasFunctions)
        let store = SymbolStore(folder: folder)
        #expect(store.list() == [symbols])
        #expect(store.symbols(symbols.buildID) == symbols)
        let place = "\(symbols.buildID.hex.prefix(2))/\(symbols.buildID.hex.dropFirst(2))/image"
        #expect(try Data(contentsOf: folder.appendingPathComponent(place)) == Data(contentsOf: program.file))
        #expect(try store.add(program.file) == [.known(symbols)])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == [String(symbols.buildID.hex.prefix(2))])
    }

    @Test func `builds that an earlier version stored are found`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appendingPathComponent("0a/1b2c3d")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let facts = """
            {"addedAt":1790000000,"buildID":"0a1b2c3d","bytes":4096,"facts":{"architecture":"x86_64","baseAddress":0,\
            "buildID":"0a1b2c3d","endAddress":8192,"format":"ELF","hasFunctions":true,"hasLines":true,\
            "range":[0,4096]},"name":"shop"}
            """
        try Data(facts.utf8).write(to: place.appendingPathComponent("facts.json"))
        let symbols = try #require(SymbolStore(folder: folder).list().first)
        #expect(symbols.buildID.hex == "0a1b2c3d" && symbols.name == "shop" && symbols.addedAt == 1_790_000_000)
        #expect(symbols.facts.hasLines && symbols.facts.hasFunctions && symbols.facts.range == 0..<4_096)
    }

    @Test func `a file with lines replaces a stripped one, but not the other way round`() throws {
        let program = try BuiltProgram(.release)
        defer { program.remove() }
        let bare = program.folder.appendingPathComponent("bare")
        let debug = program.folder.appendingPathComponent("shop.debug")
        _ = try BuiltProgram.run(["llvm-objcopy", "--strip-debug", program.file.path, bare.path], in: program.folder)
        _ = try BuiltProgram.run(
            ["llvm-objcopy", "--only-keep-debug", program.file.path, debug.path], in: program.folder)
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        #expect(try store.add(bare).first?.symbols.facts.hasLines == false)
        let better = try #require(try store.add(debug).first)
        #expect(better.symbols.facts.hasLines)
        #expect(store.list().map(\.name) == ["shop.debug"])
        #expect(try store.add(bare) == [.known(better.symbols)])
    }

    @Test func `old builds of a name are forgotten, but for the latest and what is still in use`() throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let first = try #require(try store.add(program.file).first?.symbols)
        let id = try #require(Data(hex: first.buildID.hex))
        for number in 1...3 {
            var image = try Data(contentsOf: program.file)
            let place = try #require(image.range(of: id))
            // Differs from the id's own byte, which may be any.
            image[place.lowerBound] ^= UInt8(number)
            let other = program.folder.appendingPathComponent("\(number)/\(program.file.lastPathComponent)")
            try FileManager.default.createDirectory(
                at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
            try image.write(to: other)
            try store.add(other)
        }
        let order = store.list().map(\.buildID)
        for (id, years) in zip(order, [-40, 40, 0, 60]) {
            let facts = store.image(id).deletingLastPathComponent().appendingPathComponent("facts.json")
            var object = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: facts)) as? [String: Any])
            object["addedAt"] = 1_800_000_000 + years * 31_536_000
            try JSONSerialization.data(withJSONObject: object).write(to: facts)
        }
        let all = store.list()
        #expect(all.map(\.buildID) == order, "whatever the clock was when they were added")
        try #require(Set(order).count == 4)
        #expect(store.forget(named: "another", butLatest: 0).isEmpty)
        let oldest = try #require(all.last)
        let gone = store.forget(named: first.name, butLatest: 2, and: [oldest.buildID])
        #expect(gone == [all[2]])
        #expect(store.list() == [all[0], all[1], all[3]])
        #expect(!FileManager.default.fileExists(atPath: store.image(all[2].buildID).path))
    }

    @Test func `an unusable file is rejected with an error that says what to do`() throws {
        let program = try BuiltProgram(.debug, buildID: false)
        defer { program.remove() }
        let store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        #expect(throws: SymbolError.noBuildID(path: program.file.path)) { try store.add(program.file) }
        #expect(SymbolError.noBuildID(path: "x").description.contains("--build-id"))
        let missing = program.folder.appendingPathComponent("missing")
        #expect(throws: SymbolError.noFile(path: missing.path)) { try store.add(missing) }
        let text = program.folder.appendingPathComponent("main.swift")
        #expect(throws: SymbolError.self) { try store.add(text) }
        #expect(throws: SymbolError.self) { try store.add(program.folder) }
        #expect(store.list().isEmpty)

        let stripped = try BuiltProgram(.debug)
        defer { stripped.remove() }
        _ = try BuiltProgram.run(["llvm-objcopy", "--strip-all", stripped.file.path], in: stripped.folder)
        let error = #expect(throws: SymbolError.self) { try store.add(stripped.file) }
        guard case .stripped? = error else {
            Issue.record("expected .stripped, got \(String(describing: error))")
            return
        }
    }

    @Test func `one build, and all together, are bounded`() throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        var store = SymbolStore(folder: program.folder.appendingPathComponent("symbols"))
        let bytes = UInt64(try Data(contentsOf: program.file).count)
        store.limits.imageBytes = bytes - 1
        #expect(throws: SymbolError.tooLarge(path: program.file.path, bytes: bytes, limit: bytes - 1)) {
            try store.add(program.file)
        }
        store.limits.imageBytes = bytes
        store.limits.totalBytes = bytes - 1
        #expect(throws: SymbolError.storeFull(folder: store.folder.path, bytes: bytes, limit: bytes - 1)) {
            try store.add(program.file)
        }
        #expect(store.list().isEmpty)
    }

    @Test func `the error names a folder that cannot be created`() throws {
        let program = try BuiltProgram(.debug)
        defer { program.remove() }
        let store = SymbolStore(folder: program.file.appendingPathComponent("symbols"))
        let error = #expect(throws: SymbolError.self) { try store.add(program.file) }
        #expect(error?.description.contains("cannot write to") == true)
    }
}

extension Data {
    fileprivate init?(hex: String) {
        let digits = Array(hex)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        guard !bytes.contains(nil) else { return nil }
        self.init(bytes.compactMap { $0 })
    }
}
