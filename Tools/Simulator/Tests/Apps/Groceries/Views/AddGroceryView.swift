import SwiftUI

struct AddGroceryView: View {
    @EnvironmentObject var store: GroceryStore
    @Environment(\.presentationMode) var presentationMode
    @State private var name = ""
    @State private var aisle = Aisle.produce
    @State private var quantity = 1
    @State private var showsAlert = false

    var body: some View {
        NavigationView {
            Form {
                Section(header: Text("Item"), footer: Text("A short name fits best.")) {
                    TextField("Name", text: $name, onCommit: add)
                        .autocapitalization(.words)
                        .disableAutocorrection(true)
                    Stepper(value: $quantity, in: 1...20) {
                        Text("Quantity: \(quantity)")
                    }
                }
                Section(header: Text("Aisle")) {
                    Picker(selection: $aisle, label: Text("Aisle")) {
                        ForEach(Aisle.allCases) { aisle in
                            Text(aisle.title).tag(aisle)
                        }
                    }
                    .pickerStyle(SegmentedPickerStyle())
                }
            }
            .navigationBarTitle("New item", displayMode: .inline)
            .navigationBarItems(
                leading: Button("Cancel") { self.presentationMode.wrappedValue.dismiss() },
                trailing: Button(action: add) { Text("Add").bold() }
            )
            .alert(isPresented: $showsAlert) {
                Alert(title: Text("No name"), message: Text("Enter a name first."), dismissButton: .default(Text("OK")))
            }
        }
    }

    private func add() {
        guard !name.trimmingCharacters(in: .whitespaces).isEmpty else {
            showsAlert = true
            return
        }
        store.add(Grocery(name: name, aisle: aisle, quantity: quantity))
        presentationMode.wrappedValue.dismiss()
    }
}
