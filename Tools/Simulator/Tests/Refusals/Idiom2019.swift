import Combine
import SwiftUI

// Views in the idiom of iOS 13 to 15. `RefusalTests` expects that they compile without an error.

final class OldModel: ObservableObject {
    @Published var names = ["Ada", "Grace"]
    @Published var failure: String?
}

struct OldRing: ProgressViewStyle {
    func makeBody(configuration: Configuration) -> some View {
        ZStack {
            Circle().trim(from: 0, to: CGFloat(configuration.fractionCompleted ?? 0)).stroke(Color.blue, lineWidth: 4)
            configuration.label
        }
    }
}

struct OldTriangle: Shape {
    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.move(to: CGPoint(x: rect.midX, y: rect.minY))
        path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        path.closeSubpath()
        return path
    }
}

struct OldList: View {
    @ObservedObject var model: OldModel
    @State private var showsAlert = false
    @State private var showsSheet = false
    @State private var chosen: OldItem?
    @State private var angle = Angle.degrees(30) + .degrees(15) * 2
    @Environment(\.accessibilityVoiceOverEnabled) private var readsScreen
    @Environment(\.presentationMode) private var presentation

    var body: some View {
        NavigationView {
            List {
                ForEach(model.names, id: \.self) { name in
                    Text(name).accessibility(label: Text(name)).accessibility(identifier: name)
                }
                .onDelete { model.names.remove(atOffsets: $0) }
                .onMove { model.names.move(fromOffsets: $0, toOffset: $1) }
            }
            .listStyle(InsetGroupedListStyle())
            .navigationBarTitle(Text("Names"), displayMode: .inline)
            .navigationBarItems(
                leading: EditButton(), trailing: Button("Close") { presentation.wrappedValue.dismiss() },
            )
            .alert(isPresented: $showsAlert) {
                Alert(
                    title: Text("Sure?"), message: Text("It is gone then."),
                    primaryButton: .destructive(Text("Delete")) { model.names.removeAll() },
                    secondaryButton: .cancel())
            }
            .actionSheet(isPresented: $showsSheet) {
                ActionSheet(
                    title: Text("What?"), message: nil,
                    buttons: [.default(Text("One")) { showsAlert = true }, .destructive(Text("Two")), .cancel()])
            }
        }
        .accentColor(.purple)
        .alert(item: $chosen) { item in Alert(title: Text(item.name), dismissButton: .default(Text("Fine"))) }
    }
}

struct OldItem: Identifiable {
    let id = 1
    var name = "one"
}

struct OldDetail: View {
    @State private var rotation = 0.0

    var body: some View {
        VStack {
            Image("logo").renderingMode(.template).resizable().foregroundColor(.accentColor)
            OldTriangle().rotation(.degrees(90)).fill(Color.red)
            Circle().fill(
                RadialGradient(
                    gradient: Gradient(colors: [.red, .blue]), center: .center, startRadius: 0, endRadius: 80))
            ProgressView("Loading", value: 0.5).progressViewStyle(OldRing())
            ProgressView().progressViewStyle(CircularProgressViewStyle(tint: .white))
            Text("Hidden").navigationBarHidden(true)
            Rectangle().fill(Color(UIColor.systemBackground)).frame(height: 1)
            Text("Secondary").foregroundColor(Color(.secondaryLabel))
        }
        .animation(.interpolatingSpring(stiffness: 170, damping: 15), value: rotation)
        .background(Color(uiColor: .secondarySystemBackground))
        .preferredColorScheme(.dark)
    }
}

struct OldDetail_Previews: PreviewProvider {
    static var previews: some View {
        OldDetail().preferredColorScheme(.dark)
    }
}
