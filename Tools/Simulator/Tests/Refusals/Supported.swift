import SwiftUI

// Uses of supported names, in the form of `Refused.swift`. `RefusalTests` expects that they compile.

private func use() {
    _ = VStack<Text>.self
    _ = (any Gesture).self
}

@MainActor
private func use(_ view: Text) {
    _ = view.padding()
    _ = view.onTapGesture {}
    _ = view.environment(\.locale, .current)
}
