import Testing

@testable import ServerSupport

/// The joined text of modules and styles, and files that stay as they are. The tests of pages run the joined scripts.
@Suite
struct AssetJoinTests {
    @Test
    func `a module that no other imports has all that it imports, each once and before its importers`() {
        let joined = AssetJoin([
            "lib/add.js": """
            // @ts-check
            export const one = 1;
            export function add(a, b) { return a + b; }

            """,
            "parts/draw.js": """
            import { add as sum } from "../lib/add.js";

            export { one } from "../lib/add.js";
            export async function draw() { return sum(1, 2); }
            export class Frame {}

            """,
            "pages/app.js": """
            import { add } from "../lib/add.js";
            import { draw, one } from "../parts/draw.js";
            draw(add(one, one));

            """,
        ]).joined
        #expect(
            joined == [
                "pages/app.js": """
                const $modules = {};
                { // lib/add.js
                // @ts-check
                const one = 1;
                function add(a, b) { return a + b; }

                $modules["lib/add.js"] = { one, add };
                }
                { // parts/draw.js
                const { add: sum } = $modules["lib/add.js"];

                async function draw() { return sum(1, 2); }
                class Frame {}

                $modules["parts/draw.js"] = { one: $modules["lib/add.js"].one, draw, Frame };
                }
                { // pages/app.js
                const { add } = $modules["lib/add.js"];
                const { draw, one } = $modules["parts/draw.js"];
                draw(add(one, one));

                $modules["pages/app.js"] = {  };
                }
                """
            ])
    }

    @Test
    func `a style sheet that no other imports has the rules of all that it imports, in their order`() {
        let joined = AssetJoin([
            "shared/shared.css": "a { color: red; }\n", "styles/base.css": "b { color: blue; }\n",
            "styles/app.css": "@import \"../shared/shared.css\";\n@import \"./base.css\";\ni { color: lime; }\n",
        ]).joined
        #expect(joined.keys.sorted() == ["styles/app.css"])
        let rules = joined["styles/app.css"]?.split(separator: "\n")
        #expect(rules == ["a { color: red; }", "b { color: blue; }", "i { color: lime; }"])
    }

    @Test(arguments: [
        "export default function draw() {}", "export let count = 0;", "export const { a, b } = both;",
        "export { draw as paint } from \"./base.js\";", "export * from \"./base.js\";", "export { draw };",
        "import * as base from \"./base.js\";", "import \"./base.js\";", "import { a } from './base.js';",
        "import {", "import { gone } from \"./gone.js\";", "import { app } from \"../pages/app.js\";",
    ])
    func `a module with another form of import or export, or in a circle, leaves all as they are`(line: String) {
        let app = "import { draw } from \"../parts/draw.js\";"
        let other = "import { sum } from \"../parts/base.js\";"
        let joined = AssetJoin([
            "parts/base.js": "", "parts/draw.js": line, "pages/app.js": app, "pages/other.js": other,
        ]).joined
        #expect(joined.isEmpty)
    }
}
