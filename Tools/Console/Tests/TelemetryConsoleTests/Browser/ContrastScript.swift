/// JavaScript that measures the contrast of all visible text, by the definition of WCAG 2.2.
///
/// The background of a text is what the browser finds below it, composed from the page upwards with all opacities. For
/// letters in a chart, that includes an outline painted below them.
/// Skipped are disabled controls, which WCAG exempts, the picture of a replay, and text over a gradient.
enum ContrastScript {
    /// Returns `checked`, the number of measured texts, and `failures`, each as its ratio, element and text.
    static let failures = #"""
        const ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const parse = (text) => {
          if (text === 'none') return [0, 0, 0, 0];
          const numbers = (/\(([^)]*)\)/.exec(text)?.[1].match(/-?[\d.]+(e-?\d+)?%?/g) ?? []).map(parseFloat);
          if (text.startsWith('color(srgb')) return [...numbers.slice(0, 3).map((it) => it * 255), numbers[3] ?? 1];
          if (text.startsWith('rgb')) return [...numbers.slice(0, 3), numbers[3] ?? 1];
          // The canvas converts other notations, such as oklch.
          ink.clearRect(0, 0, 1, 1);
          ink.fillStyle = text;
          ink.fillRect(0, 0, 1, 1);
          const [red, green, blue, alpha] = ink.getImageData(0, 0, 1, 1).data;
          return [red, green, blue, alpha / 255];
        };
        const over = ([r, g, b, a], below) => [r, g, b].map((it, index) => it * a + below[index] * (1 - a));
        const linear = (it) => (it / 255 <= 0.04045 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4);
        const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        const opacity = (element) => { let all = 1; for (let it = element; it; it = it.parentElement) all *= Number(getComputedStyle(it).opacity); return all; };
        const isShape = (element) => element instanceof SVGGeometryElement;
        const surface = (element) => {
          const style = getComputedStyle(element);
          const color = parse(isShape(element) ? style.fill : style.backgroundColor);
          return [...color.slice(0, 3), color[3] * (isShape(element) ? Number(style.fillOpacity) : 1) * opacity(element)];
        };
        const seen = new Map();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        let checked = 0;
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || element.closest('[disabled], option, .w-phone, .visually-hidden, script, style')) continue;
          const range = document.createRange();
          range.selectNodeContents(walker.currentNode);
          const box = [...range.getClientRects()].find((it) => it.width > 1 && it.height > 1);
          if (!box || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
          const stack = document.elementsFromPoint(box.left + Math.min(box.width / 2, 4), box.top + box.height / 2);
          const at = stack.indexOf(element);
          if (at < 0) continue;
          const behind = stack.slice(at);
          if (behind.some((it) => getComputedStyle(it).backgroundImage !== 'none')) continue;
          const style = getComputedStyle(element);
          const outline = element instanceof SVGElement && style.paintOrder.startsWith('stroke') ? [parse(style.stroke)] : [];
          const ground = [...outline, ...behind.map(surface)].reduceRight((below, it) => over(it, below), [255, 255, 255]);
          const color = parse(element instanceof SVGElement ? style.fill : style.color);
          const text = over([...color.slice(0, 3), color[3] * opacity(element)], ground);
          const [low, high] = [luminance(text), luminance(ground)].sort((a, b) => a - b);
          const ratio = (high + 0.05) / (low + 0.05);
          const size = parseFloat(style.fontSize);
          const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
          checked += 1;
          if (ratio >= needed) continue;
          const name = (it) => it.tagName.toLowerCase() + (it.getAttribute('class') ? '.' + it.getAttribute('class').trim().split(/\s+/).join('.') : '');
          const key = `${name(element.parentElement)} ${name(element)}`;
          if (!(seen.get(key)?.ratio <= ratio)) seen.set(key, { ratio, text: walker.currentNode.data.trim().slice(0, 30) });
        }
        return { checked, failures: [...seen].map(([key, { ratio, text }]) => `${ratio.toFixed(2)} ${key} "${text}"`) };
        """#
}
