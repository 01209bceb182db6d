import BrowserKit
import Testing

/// The browser that all tests share, as a test finds it.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver; see BrowserTests"),
)
struct SharedBrowserTests {
    @Test
    func `a window has nothing of the window before`() async throws {
        try await ConsoleUnderTest.run { console in
            try await WebDriver.run(dark: false) { browser in
                try await browser.open("\(console.address)/sessions")
                try await browser.resize(width: 390, height: 844)
                try await browser.run(
                    """
                    document.cookie = 'left=1';
                    localStorage.left = sessionStorage.left = 1;
                    window.open('/traces');
                    console.error('left');
                    """)
            }
            try await WebDriver.run { browser in
                try await browser.open("\(console.address)/sessions")
                let found = try await browser.run(
                    """
                    return [document.cookie, localStorage.left, sessionStorage.left, innerWidth, document.hasFocus(),
                      matchMedia('(prefers-color-scheme: dark)').matches].join('|');
                    """)
                #expect(found.text == "|||1440|true|true")
                try await browser.requireNoErrors()
            }
        }
    }

    @Test(arguments: ["disabled = true", "style.marginTop = '200px'"])
    func `a click follows a button that is disabled or moves as the mouse comes`(change: String) async throws {
        try await WebDriver.run { browser in
            try await browser.open("about:blank")
            try await browser.run(
                """
                document.body.innerHTML = '<button>Order</button>';
                const button = document.querySelector('button');
                window.orders = 0;
                button.addEventListener('click', () => { window.orders += 1; });
                button.addEventListener('pointerover', () => {
                  button.\(change);
                  setTimeout(() => { button.disabled = false; }, 100);
                }, { once: true });
                """)
            try await browser.click("button")
            #expect(try await browser.run("return window.orders").int == 1)
        }
    }

    @Test
    func `a browser that has crashed is replaced`() async throws {
        for isKilled in [true, false] {
            try await WebDriver.run { browser in
                try await browser.open("about:blank")
                if isKilled { try browser.kill() }
            }
        }
    }
}
