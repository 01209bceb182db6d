import Foundation

/// A path in which a component in braces is a parameter: `/api/v1/traces/{trace}`.
struct RoutePath: Sendable, Hashable {
    enum Component: Sendable, Hashable {
        case word(String)
        case parameter(String)
    }

    let text: String
    let components: [Component]

    init(_ text: String) {
        self.text = text
        components = text.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// The names of the parameters, in their order.
    var parameters: [String] {
        components.compactMap { component -> String? in
            if case .parameter(let name) = component { name } else { nil }
        }
    }

    /// Returns the decoded parameters of a path; `nil` if it is another one.
    ///
    /// - Parameter parts: The components of the path.
    func values(in parts: [Substring]) -> [String]? {
        guard parts.count == components.count else { return nil }
        var values: [String] = []
        for (component, part) in zip(components, parts) {
            switch component {
            case .word(let word):
                guard part == word else { return nil }
            case .parameter:
                guard let value = String(part).removingPercentEncoding else { return nil }
                values.append(value)
            }
        }
        return values
    }

    /// Returns the path with a text in the place of each parameter.
    func filled(_ value: (_ parameter: String) -> String) -> String {
        let parts = components.map { component -> String in
            switch component {
            case .word(let word): word
            case .parameter(let name): value(name)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
