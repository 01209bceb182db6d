// snippet: swiftui-screen
import AstrolabeSwiftUI
import SwiftUI

struct CartScreen: View {
    let items: [String]

    var body: some View {
        TracedView("Cart") {
            List(items, id: \.self) { item in
                Text(item)
            }
        }
    }
}
// snippet: end
