import BrowserKit

/// The shop's screens as wireframes without positions, as an adapter without layout information creates them.
enum ShopScreens {
    static func list(scrolledBy rows: Int = 0) -> Wire {
        let names = [
            [5, 6, 5, 6], [11, 6, 9], [4, 10], [9, 8, 9], [5, 6], [7, 4, 8], [3, 5, 4], [4, 8, 3], [3, 10], [8, 4],
        ]
        let cards = (rows * 2..<min(rows * 2 + 6, 10)).map { index in
            Wire(
                "button", key: "product-\(index)",
                ["name": .string(index == 2 ? "product.OLJCESPC7Z" : "product.\(index)")],
                [
                    Wire(
                        "column", ["spacing": 7, "align": "leading", "grow": true],
                        [
                            Wire("image", ["height": 132, "radius": 14, "grow": true, "fill": .string(tints[index])]),
                            .words(names[index], size: 15, bold: true), .words([6], size: 15, ink: "secondary"),
                        ])
                ])
        }
        return page(
            title: [9, 4], bar: [Wire("icon", ["ink": "accent"]), cart(0)],
            [
                Wire("field", ["name": "search", "padding": [0, 12, 0, 12]], [.words([6], ink: "secondary")]),
                Wire("scroll", ["padding": [14, 0, 0, 0]], [Wire("grid", ["columns": 2, "spacing": 16], cards)]),
            ])
    }

    private static let tints = [
        "indigo/22", "teal/22", "orange/22", "purple/22", "pink/22", "blue/22", "green/22", "red/22", "mint/22",
        "cyan/22",
    ]

    static func detail(quantity: Int, isAdded: Bool) -> Wire {
        page(
            title: [8, 4, 10], bar: [Wire("icon", ["ink": "accent"]), cart(isAdded ? quantity : 0)],
            [
                Wire("image", ["height": 238, "grow": true, "radius": 18, "fill": "orange/22"]),
                Wire(
                    "row", ["padding": [6, 0, 0, 0]],
                    [.words([6], size: 24, bold: true), Wire("space"), .words([10], size: 13, ink: "green")]),
                .words([3, 12, 2, 1, 8, 9, 3, 8, 10, 6, 3, 5, 2, 7, 9, 4, 3, 5], size: 15, ink: "secondary"),
                Wire("stepper", ["name": "quantity"], [.words([8, quantity])]),
                Wire("toggle", ["name": "gift", "on": .truth(isAdded)], [.words([4, 4])]),
                Wire("space"),
                .button("add_to_cart", isAdded ? [5, 2, 4] : [3, 2, 4], grow: true),
            ])
    }

    static func cart(items: Int, isLoading: Bool = false) -> Wire {
        let cells = (0..<items).map { index in
            Wire(
                "cell", key: "item-\(index)", ["padding": [10, 16, 10, 16]],
                [
                    Wire("image", ["width": 54, "height": 54, "radius": 9, "fill": .string(tints[index + 2])]),
                    Wire(
                        "column", ["align": "leading", "spacing": 5],
                        [.words([8, 4, 10], size: 15, bold: true), .words([3, 1], size: 13, ink: "secondary")]),
                    Wire("space"), .words([6], size: 15),
                ])
        }
        let total = Wire(
            "cell", key: "total", [:], [.words([5], bold: true), Wire("space"), .words([7], bold: true)])
        return Wire(
            "screen", key: "screen", ["fill": .string("gray/12")],
            [
                Wire("bar", key: "bar", ["padding": [0, 16, 0, 16]], [.words([5], ink: "accent"), Wire("space")]),
                Wire(
                    "column", key: "head", ["align": "leading", "padding": [2, 16, 6, 16]],
                    [.words([4], size: 32, bold: true)]),
                Wire("list", key: "list", ["fill": "clear"], [Wire("section", key: "items", [:], cells + [total])]),
                Wire(
                    "column", key: "foot", ["spacing": 14, "grow": true, "padding": [8, 16, 12, 16]],
                    [
                        Wire("toggle", ["name": "express", "on": true, "padding": [0, 4, 0, 4]], [.words([7, 8])]),
                        Wire("progress", isLoading ? [:] : ["fraction": 1.0]),
                        .button("place_order", [5, 5], grow: true),
                    ]),
            ])
    }

    private static func page(title: [Int], bar: [Wire], _ children: [Wire]) -> Wire {
        Wire(
            "screen", key: "screen", [:],
            [
                Wire(
                    "bar", key: "bar", ["padding": [0, 16, 0, 16]], [.words([5], ink: "accent"), Wire("space")] + bar),
                Wire(
                    "column", key: "page\(title.count)",
                    ["align": "leading", "spacing": 14, "grow": true, "padding": [2, 16, 12, 16]],
                    [.words(title, size: 32, bold: true)] + children),
            ])
    }

    private static func cart(_ count: Int) -> Wire {
        Wire(
            "button", key: "cart", ["name": "cart"],
            [Wire("icon", ["ink": "accent"])]
                + (count > 0 ? [Wire("shape", ["fill": "red", "width": 20, "height": 20, "radius": 10])] : []))
    }
}
