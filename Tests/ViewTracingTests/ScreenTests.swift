import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import AstrolabeViewTracing

@Suite struct `The current screen` {
    @Test(arguments: [true, false])
    func `is the opened page, and after going back the one below`(coversFirst: Bool) {
        let recorder = ViewRecorder(.full)
        let (home, cart) = (recorder.view("Home"), recorder.view("Cart"))
        home.appear()
        #expect(recorder.screen == "Home")
        if coversFirst { home.disappear() }
        cart.appear()
        #expect(recorder.screen == "Cart")
        if !coversFirst { home.disappear() }
        #expect(recorder.screen == "Cart")
        if coversFirst { cart.disappear() }
        home.appear()
        if !coversFirst { cart.disappear() }
        #expect(recorder.screen == "Home")
    }

    @Test func `is told without a lock, in order, to code that shows another one`() {
        let reference = Locked<ViewTracer?>(nil)
        let told = Locked<[String?]>([])
        let core = RecordingCore(sink: MemorySink())
        let scope = InstrumentationScope(name: "views")
        let hooks = ViewTracer.Hooks(
            now: { ViewRecorder.start },
            setScreen: { name, _ in
                told.withLock { $0.append(name) }
                let tracer = reference.withLock { $0 }
                if name == "Home" { tracer?.show(ScreenStack.Screen(name: "Offer", id: ""), number: 2) }
            })
        let tracer = ViewTracer(
            mode: .full, tracer: Tracer(core: core, scope: scope), events: EventLogger(core: core, scope: scope),
            hooks: hooks)
        reference.withLock { $0 = tracer }
        tracer.show(ScreenStack.Screen(name: "Home", id: ""), number: 1)
        tracer.hide(2)
        tracer.hide(1)
        tracer.hide(2)
        #expect(told.withLock { $0 } == ["Home", "Offer", "Home", "Offer", nil])
        reference.withLock { $0 = nil }
    }

    @Test func `is the sheet, and after it the screen that presented it, which never disappeared`() {
        let recorder = ViewRecorder(.full)
        let (cart, checkout) = (recorder.view("Cart"), recorder.view("Checkout"))
        cart.appear()
        checkout.appear()
        #expect(recorder.screen == "Checkout")
        checkout.disappear()
        #expect(recorder.screen == "Cart")
    }

    @Test(arguments: [true, false])
    func `is the inner of two nested screens, whichever appears first`(outerFirst: Bool) {
        let recorder = ViewRecorder(.full)
        let (shop, list) = (recorder.view("Shop"), recorder.view("List"))
        if outerFirst { shop.appear() }
        list.appear()
        if !outerFirst { shop.appear() }
        #expect(recorder.screen == "List")
    }

    @Test func `is none after the last has disappeared, and never a part of a screen`() {
        let recorder = ViewRecorder(.full)
        let (home, row) = (recorder.view("Home"), recorder.view("Row", role: .part))
        row.appear()
        #expect(recorder.screen == nil)
        home.appear()
        row.disappear()
        #expect(recorder.screen == "Home")
        home.disappear()
        #expect(recorder.screen == nil)
    }

    @Test func `is still known in the background`() {
        let recorder = ViewRecorder(.full)
        let home = recorder.view("Home")
        home.appear()
        recorder.tracer.enterBackground()
        #expect(recorder.screen == "Home")
    }

    @Test func `is on a part's spans, and on a screen's own spans before it appears`() throws {
        let recorder = ViewRecorder(.full)
        let home = recorder.view("Home")
        home.appear()
        let row = recorder.view("Row", role: .part)
        row.evaluate()
        let cart = recorder.view("Cart")
        cart.evaluate()
        let screens = try recorder.spans.map { $0.attributes["app.screen.name"]?.stringValue }
        #expect(screens == ["Home", "Home", "Cart"])
    }
}
