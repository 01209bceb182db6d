import Foundation

/// The modules and style sheets of a page, joined so that a browser asks for one file of each and not for a hundred.
///
/// A file that no other file imports gets the text of all that it imports, each once and before those that import it.
/// All other files stay as they are. Imports and exports have the forms in which the pages are written:
///
///     import { ask, follow as listen } from "../lib/stream.js";
///     export { announce } from "../shared/elements.js";
///     export async function draw(frame) {
///     @import "../shared/shared.css";
///
/// If one of the scripts has another form, or imports itself through others, the browser loads all scripts one by one.
/// Joined in part, a page could have a module twice, each with a state of its own. So it is with styles. In a joined
/// module, `import.meta.url` is the address of the whole.
struct AssetJoin {
    private let parts: [String: Part]
    /// True for style sheets, false for scripts, if a file of the kind has another form.
    private let kindsOfOtherForm: Set<Bool>

    /// - Parameter texts: The texts of the files, by path.
    init(_ texts: [String: String]) {
        var parts: [String: Part] = [:]
        var others: Set<Bool> = []
        for (path, text) in texts {
            if let part = Part(text, at: path) { parts[path] = part } else { others.insert(Self.isStyle(path)) }
        }
        self.parts = parts
        kindsOfOtherForm = others
    }

    private static func isStyle(_ path: String) -> Bool { path.hasSuffix(".css") }

    /// The joined texts, by the path of the file that imports the others.
    var joined: [String: String] {
        let imported = Set(parts.values.flatMap(\.imports))
        // What no other file leads to is in a circle.
        var unjoined = Set(parts.filter { !$0.value.imports.isEmpty }.keys)
        var joined: [String: String] = [:]
        for (path, part) in parts where !part.imports.isEmpty && !imported.contains(path) {
            var order: [String] = []
            guard append(path, to: &order, within: []) else { continue }
            unjoined.subtract(order)
            let texts = order.compactMap { parts[$0]?.text(at: $0) }
            joined[path] = (Self.isStyle(path) ? "" : "const $modules = {};\n") + texts.joined(separator: "\n")
        }
        let unjoinedKinds = kindsOfOtherForm.union(unjoined.map(Self.isStyle))
        return joined.filter { !unjoinedKinds.contains(Self.isStyle($0.key)) }
    }

    /// Appends a file after all that it imports. Returns false if one of them is not there or imports itself.
    private func append(_ path: String, to order: inout [String], within open: Set<String>) -> Bool {
        if order.contains(path) { return true }
        guard let part = parts[path], !open.contains(path) else { return false }
        for file in part.imports {
            guard append(file, to: &order, within: open.union([path])) else { return false }
        }
        order.append(path)
        return true
    }
}

/// A file, read for what it imports and exports.
private struct Part {
    /// The paths of the files that it imports.
    private(set) var imports: [String] = []
    /// The properties of the object that other modules read.
    private var exports: [String] = []
    private var lines: [String] = []

    /// Returns nil if an import or an export has another form than those of ``AssetJoin``.
    init?(_ text: String, at path: String) {
        let importing = path.hasSuffix(".css") ? "@import" : "import"
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix(importing) {
                guard let (names, file) = Self.reference(in: line, of: path) else { return nil }
                imports.append(file)
                let list = names.joined(separator: ", ").replacingOccurrences(of: " as ", with: ": ")
                if !names.isEmpty { lines.append("const { \(list) } = \(Self.module(file));") }
            } else if line.hasPrefix("export {") {
                guard let (names, file) = Self.reference(in: line, of: path),
                    !names.contains(where: { $0.contains(" ") })
                else { return nil }
                imports.append(file)
                exports += names.map { "\($0): \(Self.module(file)).\($0)" }
            } else if line.hasPrefix("export") {
                guard let name = Self.declaredName(in: line) else { return nil }
                exports.append(name)
                lines.append(String(line.dropFirst("export ".count)))
            } else {
                lines.append(line)
            }
        }
    }

    /// The text as a part of the whole: a module is a block, so that its names are its own.
    func text(at path: String) -> String {
        let body = lines.joined(separator: "\n")
        if path.hasSuffix(".css") { return body }
        let object = "\(Self.module(path)) = { \(exports.joined(separator: ", ")) };"
        return "{ // \(path)\n\(body)\n\(object)\n}"
    }

    private static func module(_ path: String) -> String { "$modules[\"\(path)\"]" }

    /// Returns the names that an import or export lists, and the path of the file.
    private static func reference(in line: String, of path: String) -> (names: [String], file: String)? {
        let pieces = line.components(separatedBy: "\"")
        guard pieces.count == 3, pieces[2] == ";",
            let url = URL(string: pieces[1], relativeTo: URL(fileURLWithPath: "/\(path)"))
        else { return nil }
        let file = String(url.absoluteURL.path.dropFirst())
        if pieces[0] == "@import " { return ([], file) }
        guard pieces[0].hasPrefix("import { ") || pieces[0].hasPrefix("export { "), pieces[0].hasSuffix(" } from ")
        else { return nil }
        let names = pieces[0].dropFirst("import { ".count).dropLast(" } from ".count)
        return (names.components(separatedBy: ", "), file)
    }

    /// Returns the name of an exported function, class or constant.
    private static func declaredName(in line: String) -> String? {
        let kinds = ["async function ", "function ", "class ", "const "].map { "export \($0)" }
        guard let kind = kinds.first(where: line.hasPrefix) else { return nil }
        let name = line.dropFirst(kind.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name)
    }
}
