import SwiftUI

/// A product's picture, a turning circle until it is there, and a symbol where it cannot be had.
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
                    .foregroundStyle(.secondary)
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
