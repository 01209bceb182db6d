import SwiftUI

// What SwiftUI has on phones and not on the Mac, where the module is built for its view models: the commands that run
// a trip through the shop there show no screen.
extension View {
    /// The page's title in its bar, and not in large letters below.
    func inlineTitle() -> some View {
        #if os(macOS)
        self
        #else
        navigationBarTitleDisplayMode(.inline)
        #endif
    }

    /// For what is written letter by letter, such as an address of e-mail.
    func writtenAsItIs() -> some View {
        #if os(macOS)
        autocorrectionDisabled()
        #else
        autocorrectionDisabled().textInputAutocapitalization(.never)
        #endif
    }

    /// Shows `content` instead of everything else.
    func cover<Content: View>(
        isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        #if os(macOS)
        sheet(isPresented: isPresented, content: content)
        #else
        fullScreenCover(isPresented: isPresented, content: content)
        #endif
    }
}
