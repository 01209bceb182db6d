public import Foundation

/// An expectation that was not met: what was expected, what came, and the place in the test.
public struct ExpectationFailure: Error, Hashable, Sendable {
    let text: String

    init(_ text: String, file: StaticString, line: UInt) {
        let name = "\(file)".split(separator: "/").last.map(String.init) ?? ""
        self.text = "\(name):\(line): \(text)"
    }
}

extension ExpectationFailure: CustomStringConvertible {
    public var description: String { text }
}

// XCTest shows this text for an error that a test throws.
extension ExpectationFailure: LocalizedError {
    public var errorDescription: String? { text }
}
