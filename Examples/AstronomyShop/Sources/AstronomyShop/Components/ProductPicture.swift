import SwiftUI

/// A product's image, with a spinner while it loads and a symbol if it cannot be loaded.
struct ProductPicture: View {
    let url: URL?
    let name: String

    var body: some View {
        AsyncImage(url: url) { phase in
            switch phase {
            case .success(let image):
                image.resizable().scaledToFit()
            case .failure:
                Image(systemName: "photo")
                    .font(.title)
                    .foregroundColor(.gray)
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
            default:
                ProgressView()
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
            }
        }
        .background(Color.white)
        .cornerRadius(10)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Picture of \(name)")
        .accessibilityAddTraits(.isImage)
    }
}
