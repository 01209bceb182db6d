import SwiftUI

struct EmptyListView: View {
    var body: some View {
        VStack(spacing: 12) {
            Image(systemName: "cart")
                .font(.system(size: 56, weight: .light))
                .foregroundColor(.secondary)
            Text("Nothing to buy")
                .font(.title2)
            Text("Tap + to add an item.")
                .font(.callout)
                .foregroundColor(.secondary)
                .multilineTextAlignment(.center)
        }
        .padding(40)
    }
}
