@testable import TelemetryQuery

/// JavaScript that reads what a person sees on a page.
enum PageScript {
    /// The most that a number differs from its text, as a share of it: texts have three digits.
    static let rounding = 0.005

    /// A function from the text of a number with its unit to the number as text, durations in nanoseconds. Other texts
    /// stay as they are.
    static let number = """
        ((text) => {
          const [, digits, power, unit] = /^(-?[\\d.,]+)([KMB]?)(?: (ns|µs|ms|s))?$/.exec(text) ?? [];
          const value = Number(digits?.replaceAll(',', '')) * ({ K: 1e3, M: 1e6, B: 1e9 }[power] ?? 1)
            * ({ 'µs': 1e3, ms: 1e6, s: 1e9 }[unit] ?? 1);
          return Number.isNaN(value) ? text : String(value);
        })
        """

    /// Moves the pointer over all charts, and returns rows of what it shows at each step.
    ///
    /// - Parameter rows: An expression of rows from `caption`, `step`, `number` and `lines`, which are texts.
    static func tips(of result: QueryResult, rows: String) -> String {
        let times = (0..<result.window.stepCount).map { result.window.bounds(ofStep: $0).start / 1_000_000 }
        return """
            (() => {
              const number = \(number);
              const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit',
                minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
              const steps = \(times).map((time) => format.format(time));
              const seen = new Map();
              for (const plot of document.querySelectorAll('.plot')) {
                const [picture, tip] = [plot.querySelector('svg'), plot.querySelector('.chart-tip')];
                const caption = plot.querySelector('figcaption').textContent;
                const box = picture.getBoundingClientRect();
                const isMap = plot.querySelector('canvas');
                const scanned = new Set();
                for (let x = 63; x < box.width - 14; x += isMap ? 4 : 1) {
                  let found;
                  for (let y = isMap ? 10 : box.height / 2; y < (isMap ? box.height - 22 : box.height / 2 + 1); y += 1) {
                    picture.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: box.top + y, bubbles: true }));
                    if (tip.hidden) continue;
                    const step = steps.findIndex((start) => tip.querySelector('strong').textContent.startsWith(start));
                    if (isMap && scanned.has(step)) break;
                    found = step;
                    const lines = [...tip.querySelectorAll('div')]
                      .map((line) => [line.querySelector('span').textContent, line.querySelector('b').textContent]);
                    for (const row of \(rows)) seen.set(JSON.stringify(row.slice(0, 3)), row.map(String));
                  }
                  if (found !== undefined) scanned.add(found);
                }
                picture.dispatchEvent(new PointerEvent('pointerleave'));
              }
              return [...seen.values()];
            })()
            """
    }
}
