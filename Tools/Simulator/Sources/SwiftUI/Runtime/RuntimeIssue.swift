/// A misuse of SwiftUI by a view, reported once for each place.
package enum RuntimeIssue: Hashable, Sendable, CustomStringConvertible {
    /// A body, or a binding's getter, changed state during evaluation.
    case writeDuringUpdate(view: String, target: String)
    /// Updates caused further updates for too many passes, so the graph stopped.
    case unsettled(views: [String], passes: Int)
    /// Two elements of a `ForEach` have the same id.
    case duplicateID(view: String, id: String)
    /// Several nodes of the screen have one id, which is a fault of the stand-in.
    case repeatedNode(id: Int, kinds: [String], view: String)
    /// A link pushed a value without a `navigationDestination` for its type.
    case noDestination(type: String)
    /// The selection of a `Picker` matches none of its tags.
    case selectionWithoutTag(view: String)
    /// A size alternated between two values, so it was kept.
    case unstableSize(view: String, reports: Int)
    /// A symbol that the page does not draw.
    case unknownSymbol(name: String)
    /// An image or color that no asset catalog of the app has.
    case missingAsset(name: String)
    /// A text asks for automatic grammar agreement in a language without it.
    case noInflection(language: String)

    package var description: String {
        switch self {
        case .writeDuringUpdate(let view, let target):
            "\(view) changed \(target) while its body was evaluated. The value was kept and no update made for it. "
                + "Change state in an action, in onAppear, or in onChange."
        case .unsettled(let views, let passes):
            "After \(passes) passes the update of \(views.joined(separator: ", ")) still set off another. "
                + "Look for an onChange or onAppear that changes what it depends on."
        case .duplicateID(let view, let id):
            "\(view) has several elements with the id \(id). Give each element an id of its own."
        case .repeatedNode(let id, let kinds, let view):
            "\(view) has several nodes with the id \(id): \(kinds.joined(separator: ", ")). The page shows one of them. "
                + "This is a fault of SwiftUI on Linux. Report it with the view."
        case .noDestination(let type):
            "A link leads to a value of type \(type), for which the stack has no navigationDestination(for:). Add one "
                + "inside the stack."
        case .selectionWithoutTag(let view):
            "The selection of \(view) is the tag of none of its views. Give each view a tag of the selection's type."
        case .unstableSize(let view, let reports):
            "The size of \(view) alternated between two values \(reports) times. It is kept as it is. Look for a view "
                + "in a GeometryReader, or a preference from one, that changes the size of the reader."
        case .unknownSymbol(let name):
            "The page does not draw the symbol \(name). It shows a box in its place. The drawn symbols are in symbols.js."
        case .missingAsset(let name):
            "No asset catalog has an image or color \(name). Install the app's bundle with Assets.install, and check the name."
        case .noInflection(let language):
            "A text in \(language) asks for automatic grammar agreement. It is shown as it is: only English is inflected."
        }
    }
}

extension Evaluation {
    func reportWrite(to target: String) {
        MainActor.assumeIsolated {
            node.graph.report(.writeDuringUpdate(view: node.nearestViewName, target: target))
        }
    }
}

extension ViewNode {
    /// The name of the app's view that contains this node.
    var nearestViewName: String {
        var node: ViewNode? = self
        while let current = node {
            if !current.viewName.isEmpty { return current.viewName }
            node = current.parent
        }
        return "a view"
    }
}

enum ViewName {
    /// Returns the name of a type without its module and its generic arguments.
    static func short(_ type: Any.Type) -> String {
        let full = String(describing: type)
        return full.firstIndex(of: "<").map { String(full[..<$0]) } ?? full
    }
}
