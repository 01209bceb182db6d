/// JavaScript that finds what a reader of a page cannot see or reach: in a low window, on paper, and without colors.
enum LayoutScript {
    private static let name = """
        const name = (it) => `${it.tagName.toLowerCase()}.${it.getAttribute('class') ?? ''}`;
        const main = document.querySelector('main');
        """

    /// The least height in pixels of a list or panel that scrolls: two rows with what is above them.
    private static let leastHeight = 90

    /// Returns what is wider than the window, what scrolls in too little room, and whether the last part of the page
    /// cannot be brought into the window.
    static let cut = """
        \(name)
        const cut = [];
        const last = main.querySelector('.page').lastElementChild;
        if (document.documentElement.scrollWidth > innerWidth) cut.push(`the document is ${document.documentElement.scrollWidth} px wide`);
        for (const it of [main, last]) if (it.scrollWidth > it.clientWidth) cut.push(`${name(it)} is ${it.scrollWidth} px wide`);
        for (const it of main.querySelectorAll('*')) {
          if (it.scrollHeight <= it.clientHeight + 4 || !it.checkVisibility() || it.closest('.w-phone')) continue;
          if (!['auto', 'scroll'].includes(getComputedStyle(it).overflowY)) continue;
          if (it.clientHeight < \(leastHeight)) cut.push(`${name(it)} is ${it.clientHeight} px high`);
        }
        last.scrollIntoView({ block: 'end' });
        const box = last.getBoundingClientRect();
        if (box.bottom > innerHeight + 1 || box.height < \(leastHeight)) cut.push(`${name(last)} ends at ${box.bottom} px and is ${box.height} px high`);
        main.scrollTop = 0;
        return cut;
        """

    /// Returns what a page does not show on paper: rows that are not drawn, and parts that would have to be scrolled.
    static let missingOnPaper = """
        \(name)
        dispatchEvent(new Event('beforeprint'));
        const missing = [];
        const rows = document.querySelectorAll('.vrow');
        if (rows.length && rows.length !== Number(rows[0].getAttribute('aria-setsize'))) missing.push(`${rows.length} rows`);
        for (const it of [document.body, main, ...main.querySelectorAll('*')]) {
          if (it.scrollHeight <= it.clientHeight + 4 || !it.checkVisibility() || it.closest('.w-phone')) continue;
          if (['auto', 'scroll'].includes(getComputedStyle(it).overflowY)) missing.push(`${name(it)} scrolls`);
        }
        for (const it of main.querySelectorAll('.chart-frame > svg')) {
          // A sheet has another width than the window, and no script draws for it.
          it.parentElement.style.width = '60%';
          const [box, drawn] = [it.getBoundingClientRect(), it.viewBox.baseVal];
          const empty = Math.abs(box.width / box.height - drawn.width / drawn.height);
          if (empty > 0.1) missing.push(`${name(it.parentElement)} has empty room beside its chart`);
          it.parentElement.style.width = '';
        }
        if (getComputedStyle(document.documentElement).colorScheme !== 'light') missing.push('paper is not light');
        if (document.querySelector('.sidebar').checkVisibility()) missing.push('the sidebar is on paper');
        if (document.querySelector('.problem-page details:not([open])')) missing.push('a stack is folded');
        dispatchEvent(new Event('afterprint'));
        return missing;
        """

    /// Returns what only a color shows in forced colors: chosen elements and drawn shapes without an outline.
    static let colorOnly = """
        \(name)
        const only = [];
        const chosen = '[aria-selected=true], [aria-pressed=true], [aria-checked=true], [aria-current]:not([aria-current=false])';
        for (const it of document.querySelectorAll(chosen)) {
          if (it.checkVisibility() && getComputedStyle(it).outlineStyle === 'none') only.push(name(it));
        }
        for (const it of main.querySelectorAll('i:empty')) {
          const style = getComputedStyle(it);
          const box = it.getBoundingClientRect();
          if (!box.width || !it.checkVisibility() || it.closest('.w-phone, .grid-lines') || it.matches('.rail')) continue;
          // A pattern is a shape too.
          if (style.outlineStyle === 'none' && style.backgroundImage === 'none') only.push(name(it));
          if (style.forcedColorAdjust !== 'none') only.push(`${name(it)} has no fill`);
        }
        return [...new Set(only)];
        """
}
