// snippet: view-tracing
import Astrolabe
import AstrolabeSwiftUI
import SwiftUI

struct BasketScreen: View {
    @State private var items = ["Telescope"]

    var body: some View {
        TracedView("Basket", id: "basket", attributes: ["demo.cart.items.count": items.count]) {
            List {
                ForEach(items, id: \.self) { Text($0) }
                Text("57.08").traced("Price", as: .part)  // A part is not a screen and sets no screen name.
                NavigationLink("Learn More") { Text("About").traced("About") }
                    .tracedTap("learn-more", name: "Learn More")
                Menu("More") {
                    TracedButton("Empty", id: "empty-basket", role: .destructive) { items.removeAll() }
                }
            }
        }
    }
}
// snippet: end
