import SwiftUI

/// A comet that crosses the screen in 10 s, with slow frames, because each frame computes the whole tail again.
struct SlowCometAnimation: View {
    /// The number of simulation steps for each grain, which determines the time of a frame.
    var steps = CometTail.defaultSteps
    var duration = 10.0
    let onEnd: @MainActor () -> Void
    @State private var isAcross = false

    var body: some View {
        ZStack {
            Color.black
                .ignoresSafeArea()
            CometView(progress: isAcross ? 1 : 0, steps: steps)
            VStack {
                Text(verbatim: "The Comet Book")
                    .font(.title2)
                    .bold()
                Text("Every frame of this animation is late, on purpose.")
                    .font(.footnote)
                    .multilineTextAlignment(.center)
                Spacer()
                ActionButton("Leave the Comet", id: "leave-comet", action: onEnd)
                    .buttonStyle(.bordered)
            }
            .foregroundColor(.white)
            .padding(24)
        }
        .onAppear {
            withAnimation(.linear(duration: duration)) { isAcross = true }
        }
        .task {
            try? await Task.sleep(nanoseconds: UInt64(duration * 1_000_000_000))
            if !Task.isCancelled { onEnd() }
        }
    }
}

/// One frame of the animation. Its body is evaluated for every frame.
struct CometView: View, Animatable {
    var progress: Double
    let steps: Int

    nonisolated var animatableData: Double {
        get { progress }
        set { progress = newValue }
    }

    var body: some View {
        ZStack {
            ForEach(Array(CometTail.grains(at: progress, steps: steps).enumerated()), id: \.offset) { _, grain in
                Circle()
                    .fill(Color.orange.opacity(grain.brightness * 0.8))
                    .frame(width: 4 + 6 * grain.brightness, height: 4 + 6 * grain.brightness)
                    .offset(x: grain.x, y: grain.y)
            }
            Circle()
                .fill(Color.white)
                .frame(width: 18, height: 18)
                .shadow(color: .yellow, radius: 12)
        }
        .offset(x: 300 * progress - 150)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("A comet")
    }
}
