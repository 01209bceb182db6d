import Foundation

/// The names that the stand-in refuses, in the forms in which apps write them: `Tests/Refusals/Forms.txt`.
struct RefusedForms {
    struct Form {
        let name: String
        let text: String
    }

    struct Outcome: Sendable {
        let expected: [Compiler.Place: String]
        let errors: [Compiler.Place: Set<String>]
    }

    let forms: [Form]

    static func read() throws -> RefusedForms {
        let text = try String(contentsOf: Compiler.sources.appendingPathComponent("Forms.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return RefusedForms(
            forms: lines.compactMap { line in
                line.wholeMatch(of: /(\w+) +(.+)/).map { Form(name: String($0.1), text: String($0.2)) }
            })
    }

    /// Names that have a supported form too. In a closure with `return` the compiler drops their message.
    private static let halfSupported: Set = ["alignmentGuide", "listRowBackground"]

    /// Compiles each form in each place.
    func compile() async throws -> Outcome {
        var files: [String: GeneratedFile] = [:]
        for (index, form) in forms.enumerated() {
            for (file, lines) in Self.places(form, index) {
                files[file, default: GeneratedFile()].add(lines, form.name)
            }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("refusals-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var expected: [Compiler.Place: String] = [:]
        var paths = [Compiler.sources.appendingPathComponent("Mentioned.swift")]
        for (name, file) in files {
            let path = folder.appendingPathComponent(name + ".swift")
            try Data(file.text.utf8).write(to: path)
            paths.append(path)
            for (line, refused) in file.marks { expected[Compiler.Place(file: name, line: line)] = refused }
        }
        return Outcome(expected: expected, errors: try await Compiler.errors(in: paths))
    }

    /// Returns the lines for a form in each file. The line of the form itself starts with a mark.
    private static func places(_ form: Form, _ index: Int) -> [(file: String, lines: [String])] {
        let mark = GeneratedFile.mark
        if let declared = form.text.wholeMatch(of: /(member|declaration|statement) (.+)/) {
            let text = String(declared.2)
            switch declared.1 {
            case "member":
                return [
                    (
                        "Member",
                        [mark + #"struct Member\#(index): View { \#(text); var body: some View { Text("a") } }"#],
                    )
                ]
            case "declaration":
                let unique = text.replacing(/(struct|class) (\w+)/, maxReplacements: 1) { "\($0.1) \($0.2)\(index)" }
                return [("Declaration", [mark + unique])]
            default:
                return [
                    ("Function", [mark + "@MainActor func act\(index)(isOn: Bool) { \(text) }"]),
                    ("Action", [mark + head("Action", index) + #"Button("a") { \#(text) } } }"#]),
                ]
            }
        }
        let view = form.text.hasPrefix(".") ? #"Text("a")"# + form.text : form.text
        let row =
            #"HStack(spacing: 8) { Image(systemName: "star").font(.title); Text("row").bold(); Spacer() }.padding(4)"#
        let preview = view.replacing("$isOn", with: ".constant(true)").replacing(
            "$chosen", with: ".constant(1 as Int?)")
        let values = "var isOn = Bool.random(); let (people, space, focus) = mentioned()"
        var places = [
            ("Plain", [mark + head("Plain", index) + view + " } }"]),
            (
                "Condition",
                [
                    mark + head("Condition", index)
                        + #"VStack { if isOn { \#(view) } else { Text("b") } }.padding() } }"#
                ],
            ),
            (
                "Long",
                [head("Long", index) + #"NavigationStack { List { Section("one") {"#] + Array(repeating: row, count: 6)
                    + [mark + view] + Array(repeating: row, count: 6)
                    + [
                        #"}; ForEach(0..<3) { Text("\($0)") } }.toolbar { Button("a") {} } } } }"#
                    ],
            ),
        ]
        if !halfSupported.contains(form.name) {
            places.append(("Preview", [mark + "#Preview { \(values); return \(preview).padding() }"]))
        }
        return places
    }

    private static func head(_ place: String, _ index: Int) -> String {
        "struct \(place)\(index): View, Mentioning { @State var isOn = false; @State var chosen: Int? = 1; "
            + "var body: some View { "
    }
}

/// The text of a file, and the lines in which it mentions a refused name.
private struct GeneratedFile {
    static let mark = "\u{1}"

    private(set) var lines = ["import Foundation", "import SwiftUI"]
    private(set) var marks: [Int: String] = [:]

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func add(_ new: [String], _ name: String) {
        for line in new {
            lines.append(line.replacing(Self.mark, with: ""))
            if line.hasPrefix(Self.mark) { marks[lines.count] = name }
        }
    }
}
