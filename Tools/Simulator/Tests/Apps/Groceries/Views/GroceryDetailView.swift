import SwiftUI

struct GroceryDetailView: View {
    @Binding var item: Grocery

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                HStack {
                    Image(systemName: item.aisle.symbol)
                        .resizable()
                        .aspectRatio(contentMode: .fit)
                        .frame(width: 44, height: 44)
                        .padding()
                        .background(Color.accentColor.opacity(0.15))
                        .clipShape(Circle())
                    VStack(alignment: .leading) {
                        Text(item.name).font(.title)
                        Text(item.aisle.title).foregroundColor(.secondary)
                    }
                }
                Divider()
                Toggle(isOn: $item.isBought) { Text("Bought") }
                    .toggleStyle(SwitchToggleStyle(tint: .green))
                Text("Note").font(.headline)
                TextEditor(text: $item.note)
                    .frame(minHeight: 120)
                    .overlay(RoundedRectangle(cornerRadius: 8).stroke(Color.gray.opacity(0.4), lineWidth: 1))
            }
            .padding()
        }
        .navigationBarTitle(Text(item.name), displayMode: .inline)
    }
}
