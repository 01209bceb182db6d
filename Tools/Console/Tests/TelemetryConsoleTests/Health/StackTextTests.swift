import AstrolabeTelemetryModel
import BrowserKit
import Testing

@testable import TelemetryConsole

/// Stacks in words, as the runtimes of Java, Kotlin, JavaScript and Python write them.
@Suite(.timeLimit(.minutes(3))) struct StackTextTests {
    private static let java = """
        java.lang.IllegalStateException: no card
        \tat app//com.shop.Pay.confirm(Pay.kt:42)
        \tat com.shop.PayScreen$Companion.tap(PayScreen.kt:12)
        \tat java.base/java.lang.Thread.run(Thread.java:833)
        \tSuppressed: java.io.IOException: closed
        \t\tat com.shop.Card.close(Card.kt:9)
        """

    private static let script = """
        TypeError: x is undefined
            at async Cart.pay (https://shop.example/assets/app.js?v=3:10:5)
            at new Cart (index.android.bundle:1:1234)
            at Array.map (<anonymous>)
            at node:internal/process/task_queues:95:5
        """

    private static let python = """
        Traceback (most recent call last):
          File "/srv/shop/bank.py", line 3, in charge
            raise Refused(card(number))
        bank.Refused: 402

        The above exception was the direct cause of the following exception:

        Traceback (most recent call last):
          File "/srv/shop/app.py", line 88, in checkout
            return pay(cart.total())
        shop.Failed: no payment
        """

    private static let pythonCall = """
        Traceback (most recent call last):
          File "/usr/lib/python3.12/runpy.py", line 198, in _run_module_as_main
            return _run_code(code, main_globals, None, mod_spec)
          File "/srv/shop/app.py", line 88, in checkout
            return pay(cart.total())
                   ~~~^^^^^^^^^^^^^^
          File "/srv/venv/site-packages/stripe/api.py", line 7, in post
        KeyError: 'card'
        """

    private static func text(_ frames: [StackText.Frame]) -> [String] {
        frames.map { "\($0.name) \($0.file):\($0.line)\($0.isPlatform ? " platform" : "")" }
    }

    @Test
    func `each language's frames have their function, file and line, innermost first`() {
        #expect(
            Self.text(StackText.frames(Self.java)) == [
                "com.shop.Pay.confirm Pay.kt:42", "com.shop.PayScreen$Companion.tap PayScreen.kt:12",
                "java.lang.Thread.run Thread.java:833 platform",
            ])
        #expect(
            Self.text(StackText.frames(Self.script)) == [
                "Cart.pay app.js:10", "new Cart index.android.bundle:1", "Array.map <anonymous>:0 platform",
                "task_queues task_queues:95 platform",
            ])
        #expect(Self.text(StackText.frames(Self.python)) == ["charge bank.py:3"])
        #expect(
            Self.text(StackText.frames(Self.pythonCall)) == [
                "post api.py:7 platform", "checkout app.py:88", "_run_module_as_main runpy.py:198 platform",
            ])
        // The same without "at", as Android's ANR watcher has it, and as Firefox and Safari write it.
        #expect(Self.text(StackText.frames("com.shop.Pay.load(Pay.kt:9)")) == ["com.shop.Pay.load Pay.kt:9"])
        #expect(Self.text(StackText.frames("add@https://shop.example/app.js:3:9")) == ["add app.js:3"])
    }

    @Test
    func `sentences with parentheses and addresses are no frames`() {
        for text in [
            "See the manual. It helps (sometimes)", "Error: mail to me@shop.example:25 failed", "Traceback: none",
        ] {
            #expect(StackText.frames(text).isEmpty, "\(text)")
        }
    }

    /// A crash or an ANR of another SDK, as its page shows it.
    private func problem(
        _ console: ConsoleUnderTest, _ name: String, _ kind: String, _ attributes: [(String, JSON)],
    ) async throws -> JSONResponse {
        let resource: [(String, JSON)] = [
            ("service.name", .string("shop-\(name)")), ("telemetry.sdk.language", "android"), ("os.name", "Android"),
        ]
        let event = OTLPBody.Event(name: name, time: 1_790_000_000_000_000_000, severity: 21, attributes: attributes)
        try await console.send(OTLPBody.logs(resource, [event]), to: .logs)
        let path = "/api/v1/health/groups"
        let group = try await console.get("\(path)?kind=\(kind)&service=shop-\(name)")["groups"][0]
        let problems = try await console.get("\(path)/\(try #require(group["fingerprint"].text))")["problems"]
        return try await console.get("/api/v1/health/problems/\(try #require(problems[0]["seq"].int))")
    }

    @Test(arguments: TestedStore.all)
    func `a crash and an ANR are shown with the frames that were sent`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let attributes: [(String, JSON)] = [
                ("exception.type", "java.lang.IllegalStateException"), ("exception.message", "no card"),
                ("exception.stacktrace", .string(Self.java)), ("thread.name", "main"), ("thread.id", 2),
            ]
            for (name, kind) in [("device.crash", "crash"), ("device.anr", "hang")] {
                let thread = try await problem(console, name, kind, attributes)["threads"][0]
                #expect(thread["main"].bool == true)
                #expect(thread["id"].int == 2)
                #expect(thread["crashed"].bool == (kind == "crash" ? true : nil))
                let frames = thread["frames"].elements
                #expect(frames.map { $0["app"].bool ?? false } == [true, true, false])
                #expect(frames.first?["sources"][0]["function"].text == "com.shop.Pay.confirm")
                #expect(frames.first?["sources"][0]["file"].text == "Pay.kt")
                #expect(frames.first?["sources"][0]["line"].int == 42)
                #expect(frames.first?["sources"][0]["own"].bool == true)
            }
        }
    }
}
