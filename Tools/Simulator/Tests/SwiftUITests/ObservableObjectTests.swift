import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `An observable object` {
    private final class Plain: ObservableObject {
        private(set) var count = 0

        func increment() {
            objectWillChange.send()
            count += 1
        }
    }

    private class Base: ObservableObject {
        @Published var count = 0
    }

    private final class Derived: Base {
        var name = "a"

        func rename() {
            objectWillChange.send()
            name = "b"
        }
    }

    private struct PlainView: View {
        @ObservedObject var model: Plain
        var body: some View { Text("\(model.count)") }
    }

    private struct DerivedView: View {
        @ObservedObject var model: Derived
        var body: some View { Text("\(model.name) \(model.count)") }
    }

    @Test func `without published properties updates the views that it announces a change to`() async {
        let model = Plain()
        let other = Plain()
        let host = ViewHost(PlainView(model: model))
        let bystander = ViewHost(PlainView(model: other))
        model.increment()
        await turn()
        #expect(host.tree.root.texts == ["1"])
        #expect(bystander.evaluations == ["PlainView": 1])
    }

    @Test func `of a class with a superclass announces the changes of both`() async {
        let model = Derived()
        let host = ViewHost(DerivedView(model: model))
        model.rename()
        await turn()
        #expect(host.tree.root.texts == ["b 0"])
        model.count = 4
        await turn()
        #expect(host.tree.root.texts == ["b 4"])
    }

    @Test func `that is released leaves its publisher to no later object`() {
        var seen = 0
        for _ in 0..<1_000 {
            let model = Plain()
            let subscription = model.objectWillChange.sink { seen += 1 }
            model.increment()
            withExtendedLifetime(subscription) {}
        }
        #expect(seen == 1_000)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A publisher that a view receives` {
    private struct Counter: View {
        let subject: CurrentValueSubject<Int, Never>
        @State private var values: [Int] = []
        @State private var isShown = true

        var body: some View {
            Button("Hide") { isShown = false }.accessibilityIdentifier("hide")
            if isShown { Text(values.map(String.init).joined(separator: " ")).onReceive(subject) { values.append($0) } }
        }
    }

    @Test func `has its values handled from the first on, until the view is removed`() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        let host = quiet(Counter(subject: subject))
        subject.send(2)
        await turn()
        #expect(host.tree.contains(text: "1 2"))
        host.tap("hide")
        subject.send(3)
        await turn()
        #expect(host.evaluations["Counter"] == 4)
        #expect(host.issues.isEmpty)
    }

    private struct Clock: View {
        private let timer = Timer.publish(every: 0.01, on: .main, in: .common).autoconnect()
        @State private var ticks = 0
        var body: some View { Text("\(ticks)").onReceive(timer) { _ in ticks += 1 } }
    }

    @Test func `may be a timer`() async throws {
        let host = ViewHost(Clock())
        try await host.waitUntil("it has ticked three times") { Int($0.root.texts.first ?? "") ?? 0 >= 3 }
        host.close()
    }

    private final class Search: ObservableObject {
        @Published var term = ""
        @Published private(set) var results: [String] = []
        private var subscriptions: Set<AnyCancellable> = []

        init() {
            $term.debounce(for: .milliseconds(20), scheduler: RunLoop.main).removeDuplicates()
                .map { term in ["apple", "banana", "cherry"].filter { term.isEmpty || $0.hasPrefix(term) } }
                .receive(on: DispatchQueue.main)
                .sink { [weak self] in self?.results = $0 }
                .store(in: &subscriptions)
        }
    }

    private struct SearchView: View {
        @StateObject private var search = Search()

        var body: some View {
            TextField("Search", text: $search.term).accessibilityIdentifier("term")
            ForEach(search.results, id: \.self) { Text($0) }
        }
    }

    @Test func `may be debounced on the main run loop and received on the main queue`() async throws {
        let host = ViewHost(SearchView())
        try await host.waitUntil("all results are there") { $0.root.texts.count == 3 }
        host.enter("b", into: "term")
        try await host.waitUntil("the results match") { $0.root.texts == ["banana"] }
    }

    private struct Listener: View {
        @State private var name = ""
        let center: NotificationCenter
        var body: some View {
            Text(name).onReceive(center.publisher(for: Notification.Name("moon"))) { name = $0.object as? String ?? "" }
        }
    }

    @Test func `may be a notification center`() async {
        let center = NotificationCenter()
        let host = ViewHost(Listener(center: center))
        center.post(name: Notification.Name("moon"), object: "Io")
        await turn()
        #expect(host.tree.root.texts == ["Io"])
    }
}
