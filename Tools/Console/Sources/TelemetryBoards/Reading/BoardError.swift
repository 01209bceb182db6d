import Yams

/// A board file that cannot be read.
package struct BoardError: Error, Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// The line, from 1.
    package let line: Int?
    /// The expected input, and the input that was found.
    package let message: String

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { file + (line.map { ", line \($0)" } ?? "") + ": " + message }
}

extension BoardError {
    /// - Parameter error: An error of the YAML parser.
    init(file: String, yaml error: any Error) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(file: file, line: mark.line, message: "expected YAML; \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { String(describing: $0) }.joined(separator: ", ")
            self.init(file: file, line: context.mark.line, message: "expected each key once, found twice: \(names)")
        case .reader(let problem, _, _, _):
            self.init(file: file, line: nil, message: "expected YAML; \(problem)")
        default: self.init(file: file, line: nil, message: "expected YAML")
        }
    }
}
