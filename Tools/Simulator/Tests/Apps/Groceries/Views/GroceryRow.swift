import SwiftUI

struct GroceryRow: View {
    let item: Grocery
    var onToggle: () -> Void

    var body: some View {
        HStack {
            Button(action: onToggle) {
                Image(systemName: item.isBought ? "checkmark.circle.fill" : "circle")
                    .imageScale(.large)
                    .foregroundColor(item.isBought ? .green : .secondary)
            }
            .buttonStyle(BorderlessButtonStyle())
            VStack(alignment: .leading, spacing: 2) {
                Text(item.name)
                    .font(.headline)
                    .strikethrough(item.isBought, color: .secondary)
                Text(item.aisle.title)
                    .font(.caption)
                    .foregroundColor(.secondary)
            }
            Spacer()
            if item.quantity > 1 {
                Text("× \(item.quantity)")
                    .font(Font.subheadline.monospacedDigit())
                    .padding(.horizontal, 8)
                    .background(Capsule().fill(Color(.secondarySystemBackground)))
            }
        }
        .padding(.vertical, 4)
        .opacity(item.isBought ? 0.6 : 1)
        .animation(.default)
    }
}

struct GroceryRow_Previews: PreviewProvider {
    static var previews: some View {
        GroceryRow(item: Grocery(name: "Apples", aisle: .produce, quantity: 3), onToggle: {})
            .previewLayout(.sizeThatFits)
            .padding()
    }
}
