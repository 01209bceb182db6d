import Foundation

/// One line of the output of `llvm-symbolizer --output-style=JSON`.
struct SymbolizerLine: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        let function: String
        let file: String
        let line: Int
        let column: Int

        private enum CodingKeys: String, CodingKey {
            case function = "FunctionName"
            case file = "FileName"
            case line = "Line"
            case column = "Column"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            function = try container.decodeIfPresent(String.self, forKey: .function) ?? ""
            file = try container.decodeIfPresent(String.self, forKey: .file) ?? ""
            line = try container.decodeIfPresent(Int.self, forKey: .line) ?? 0
            column = try container.decodeIfPresent(Int.self, forKey: .column) ?? 0
        }
    }

    private enum CodingKeys: String, CodingKey {
        case symbols = "Symbol"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        symbols = try container.decodeIfPresent([Symbol].self, forKey: .symbols) ?? []
    }

    /// The maximum number of frames for one address. Deeper inlining is truncated.
    private static let frameLimit = 64

    /// Returns the frames, innermost first; empty if the tool has no information about the address.
    func frames(_ demangler: Demangler) -> [SourceFrame] {
        let known = symbols.prefix(Self.frameLimit).filter { !$0.function.isEmpty || $0.line > 0 }
        return known.enumerated().map { index, symbol in
            let isGenerated = symbol.file.hasSuffix("<compiler-generated>")
            return SourceFrame(
                function: demangler.name(symbol.function),
                file: isGenerated ? "" : symbol.file,
                line: isGenerated ? 0 : symbol.line,
                column: isGenerated ? 0 : symbol.column,
                isInlined: index < known.count - 1,
            )
        }
    }
}
