import BrowserKit
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

/// Takes pictures for the documentation's site: `./astrolabe docs --pictures`.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: WebDriver.isAvailable && ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] != nil,
        "pictures are taken when ASTROLABE_PICTURES names a folder and chromium and chromedriver are there",
    ),
)
struct PhonePictureTests {
    /// A way to set the phone, and what its pictures are called.
    struct Look: Sendable, CustomTestStringConvertible {
        let name: String
        let isDark: Bool
        var textSize = "large"
        var locale = "en_US"
        var testDescription: String { name }

        static let all = [
            Look(name: "light", isDark: false), Look(name: "dark", isDark: true),
            Look(name: "small-text", isDark: false, textSize: "xSmall"),
            Look(name: "large-text", isDark: true, textSize: "accessibility2"),
            Look(name: "german", isDark: false, locale: "de_DE"),
            Look(name: "japanese", isDark: true, locale: "ja_JP"),
            Look(name: "arabic", isDark: false, locale: "ar_EG"),
        ]
    }

    @Test(arguments: Look.all)
    func `pictures of every screen of a purchase, and of the page around it`(look: Look) async throws {
        try await PhoneUnderTest.run(observesBackend: true) { subject in
            try await subject.phone.set {
                $0.isDark = look.isDark
                $0.textSize = look.textSize
                $0.locale = look.locale
            }
            try await subject.phone.launched()
            try await WebDriver.run(dark: look.isDark) { browser in
                try await browser.resize(width: 1_440, height: 900)
                let page = try await PhonePage.open(subject, in: browser)
                var pictures: [Data] = []
                func take(from identifier: String? = nil) async throws {
                    try await page.stand()
                    let place = identifier.map { "document.querySelector('.window [data-identifier=\($0)]')" }
                    try await browser.run(
                        """
                        for (const body of document.querySelectorAll('.page-body')) body.scrollTop = 0;
                        \(place ?? "undefined")?.scrollIntoView({ block: 'center' });
                        scrollTo(0, 0);
                        """)
                    try await browser.wait(until: "[...document.images].every((image) => image.complete)")
                    pictures.append(try await browser.screenshot(of: ".phone"))
                }
                try await page.see("go-shopping")
                try await take()
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM")
                try await take()
                try await page.tap("product-LS4PSXUNUM")
                try await page.see("advertisements")
                try await take()
                if look.textSize == "large", look.locale == "en_US" {
                    try await browser.wait(until: "document.querySelectorAll('.record').length > 8")
                    try await browser.wait(
                        until: "document.querySelector('.phone-tools').innerText.includes('ProductDetail')")
                    try Self.save(try await browser.screenshot(), as: "phone-\(look.name)")
                }
                try await page.tap("add-to-cart")
                try await page.see("quantity-in-cart")
                try await page.back()
                try await page.tap("currency")
                try await page.see("currency-EUR")
                try await take()
                try await page.tap("currency-done")
                try await page.tap("cart")
                try await page.see("checkout")
                try await take()
                try await page.tap("checkout")
                try await page.see("place-order")
                try await take()
                try await page.tap("use-refused-card")
                try await page.tap("place-order")
                try await page.see("checkout-error")
                try await take(from: "checkout-error")
                try await page.tap("use-accepted-card")
                try await page.tap("place-order")
                try await page.see("order-total")
                try await take()
                try Self.save(try await Self.sheet(of: pictures, in: browser), as: "screens-\(look.name)")
            }
        }
    }

    @Test func `a picture of the flight recorder after a payment that failed`() async throws {
        try await PhoneUnderTest.run(adjust: { $0.settings.sampling = .nothing }) { subject in
            try await subject.phone.launched()
            try await WebDriver.run(dark: false) { browser in
                try await browser.resize(width: 1_440, height: 900)
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.tap("product-LS4PSXUNUM")
                try await page.see("product-price")
                try await page.tap("add-to-cart")
                try await page.see("quantity-in-cart")
                try await page.back()
                try await page.tap("cart")
                try await page.see("checkout")
                try await page.tap("checkout")
                try await page.see("shipping-cost")
                try await page.tap("use-refused-card")
                try await page.tap("place-order")
                try await page.see("checkout-error")
                try await browser.wait(until: "document.querySelector('.triggers').innerText.includes('Error')")
                try Self.save(try await browser.screenshot(of: ".recorder"), as: "phone-recorder-light")
            }
        }
    }

    /// The pictures in rows of four.
    private static func sheet(of pictures: [Data], in browser: WebDriver) async throws -> Data {
        let ground = try await browser.run("return getComputedStyle(document.body).backgroundColor").text ?? ""
        try await browser.open("about:blank")
        try await browser.resize(width: 900, height: 920)
        try await browser.run(
            """
            document.body.style = 'margin: 0; padding: 16px; display: grid; grid-template-columns: repeat(4, 204px);'
              + 'gap: 16px; width: fit-content; background: \(ground)';
            """)
        for picture in pictures {
            try await browser.run(
                """
                const image = new Image(204);
                image.style.borderRadius = '31px';
                image.src = 'data:image/png;base64,\(picture.base64EncodedString())';
                document.body.append(image);
                """)
        }
        try await browser.wait(until: "[...document.images].every((image) => image.complete)")
        return try await browser.screenshot(of: "body")
    }

    private static func save(_ picture: Data, as name: String) throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ASTROLABE_PICTURES"] ?? ".")
        #expect(picture.count < 300_000, "\(name) is \(picture.count) bytes")
        try picture.write(to: folder.appendingPathComponent("\(name).png"))
    }
}
