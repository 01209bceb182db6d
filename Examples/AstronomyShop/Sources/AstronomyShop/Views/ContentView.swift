import AstrolabeSwiftUI
import SwiftUI

/// The app's first screen, with the navigation stack for the others.
struct ContentView: View {
    let shop: ShopModel

    var body: some View {
        NavigationStack {
            HomeView(shop: shop)
        }
        .demonstrations(of: shop.cart)
        .environmentObject(shop.cart)
        .environmentObject(shop.currency)
        .environment(\.shopTelemetry, shop.telemetry)
        .environment(\.viewTracer, shop.telemetry.views)
    }
}

/// The home screen.
struct HomeView: View {
    let shop: ShopModel

    var body: some View {
        TracedView("Home", id: "home") { content }
    }

    private var content: some View {
        ScrollView {
            VStack(spacing: 24) {
                Image(systemName: "moon.stars.fill")
                    .resizable()
                    .scaledToFit()
                    .frame(width: 100, height: 100)
                    .foregroundColor(.indigo)
                    .padding(.top, 40)
                    .accessibilityHidden(true)
                VStack(spacing: 8) {
                    Text("Astronomy Shop")
                        .font(.largeTitle)
                        .bold()
                        .accessibilityAddTraits(.isHeader)
                    Text("Telescopes, books and binoculars, with telemetry for every tap.")
                        .font(.body)
                        .foregroundStyle(.secondary)
                }
                .multilineTextAlignment(.center)
                VStack(spacing: 12) {
                    NavigationLink {
                        AstronomyShopView(shop: shop)
                    } label: {
                        Text("Go Shopping")
                            .frame(maxWidth: .infinity)
                    }
                    .buttonStyle(.borderedProminent)
                    .tracedTap("go-shopping", name: "Go Shopping")
                    NavigationLink {
                        AboutView(shop: shop)
                    } label: {
                        Text("Learn More")
                            .frame(maxWidth: .infinity)
                    }
                    .buttonStyle(.bordered)
                    .tracedTap("learn-more", name: "Learn More")
                }
                .controlSize(.large)
                OTelButton()
            }
            .padding(24)
            .frame(maxWidth: .infinity)
        }
    }
}
