import AstrolabeSwiftUI
import SwiftUI

extension View {
    /// Asks for confirmation before a demonstration starts, and shows the slow comet animation.
    func demonstrations(of cart: CartViewModel) -> some View {
        modifier(DemoQuestion(cart: cart))
    }
}

private struct DemoQuestion: ViewModifier {
    @ObservedObject var cart: CartViewModel

    func body(content: Content) -> some View {
        content
            .alert("Demonstration", isPresented: isAsking, presenting: cart.pendingDemo) { trigger in
                TracedButton(id: "demo-confirm", name: trigger.confirmation, role: .destructive) {
                    cart.confirmDemo(trigger)
                } label: {
                    Text(LocalizedStringKey(trigger.confirmation))
                }
                TracedButton("Not Now", id: "demo-decline", name: "Not Now", role: .cancel) { cart.declineDemo() }
            } message: { trigger in
                Text(trigger.question)
            }
            .cover(isPresented: isShowingComet) {
                SlowCometAnimation { cart.slowAnimationEnded() }
                    .traced("SlowComet", id: "slow-comet")
            }
    }

    private var isAsking: Binding<Bool> {
        Binding(get: { cart.pendingDemo != nil }, set: { if !$0 { cart.declineDemo() } })
    }

    private var isShowingComet: Binding<Bool> {
        Binding(get: { cart.showsSlowAnimation }, set: { if !$0 { cart.slowAnimationEnded() } })
    }
}
