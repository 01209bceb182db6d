import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `A text with automatic grammar agreement` {
    private func shown(_ text: Text) -> String { ViewHost(text).tree.root.texts.joined() }

    @Test func `has its noun in the form for the number, and is no link`() {
        func text(_ count: Int) -> Text { Text("**In** ^[\(count) minute](inflect: true) or so") }
        #expect(
            [0, 1, 2, 1_000].map { shown(text($0)) }
                == ["In 0 minutes or so", "In 1 minute or so", "In 2 minutes or so", "In 1,000 minutes or so"])
        let node = ViewHost(text(45)).tree.root.first { $0.kind == .text }
        #expect(node?.actions == [])
    }

    @Test func `finds the noun in longer phrases, beside emphasis and in a value`() {
        let (count, name) = (3, "box")
        #expect(shown(Text("^[\(count) large cup of tea](inflect: true)")) == "3 large cups of tea")
        #expect(shown(Text("^[**\(count)** city](inflect: true), ^[\(1) city](inflect: true)")) == "3 cities, 1 city")
        #expect(shown(Text("^[\(count) \(name)](inflect: true)")) == "3 boxes")
        #expect(shown(Text("^[\(1) new messages](inflect: true)")) == "1 new message")
    }

    @Test(arguments: [
        ("person", "people"), ("Child", "Children"), ("bus", "buses"), ("sheep", "sheep"), ("day", "days"),
        ("class", "classes"), ("leaf", "leaves"), ("photo", "photos"), ("baby", "babies"), ("movie", "movies"),
    ])
    func `knows the plurals of English`(singular: String, plural: String) {
        #expect(EnglishNoun.phrase("2 \(singular)", isSingular: false) == "2 \(plural)")
        #expect(EnglishNoun.phrase("1 \(plural)", isSingular: true) == "1 \(singular)")
    }
}
