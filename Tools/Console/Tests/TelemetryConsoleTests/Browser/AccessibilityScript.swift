/// JavaScript that finds what a screen reader cannot name or place, by the rules of ARIA.
enum AccessibilityScript {
    /// Returns the faults, each as a rule and the element that breaks it:
    ///
    /// - controls, pictures and regions without a name, and references to elements that are not there;
    /// - roles outside of the role that owns them, and controls that a button, link, picture or slider hides;
    /// - levels of headings that are left out, and a title that does not name the page.
    static let faults = #"""
        const faults = new Set();
        const report = (rule, it) => faults.add(`${rule}: ${it.tagName.toLowerCase()}.${it.getAttribute('class') ?? ''} ${it.getAttribute('role') ?? ''}`);
        const shown = (selector) => [...document.querySelectorAll(selector)]
          .filter((it) => it.checkVisibility() && !it.closest('[aria-hidden=true], .w-glass'));

        const content = (it) => {
          if (it.nodeType === Node.TEXT_NODE) return it.data;
          if (!(it instanceof Element) || it.matches('[aria-hidden=true], input, select, textarea')) return '';
          if (!it.matches('title') && getComputedStyle(it).display === 'none') return '';
          return it.getAttribute('aria-label') ?? it.getAttribute('alt') ?? [...it.childNodes].map(content).join('');
        };
        const ids = (it, name) => (it.getAttribute(name) ?? '').split(/\s+/).filter(Boolean);
        const fromContent = 'a[href], button, summary, [role=button], [role=tab], [role=option], [role=treeitem]';
        const fromAuthor = `input, select, textarea, nav, aside, dialog, [role=dialog], [role=group], [role=img], [role=list],
          [role=listbox], [role=slider], [role=table], [role=tablist], [role=tabpanel], [role=tree], [role=treegrid]`;
        const isNamed = (it) => it.getAttribute('aria-label')?.trim() || it.getAttribute('title')?.trim()
          || [...ids(it, 'aria-labelledby').map((id) => document.getElementById(id)), ...(it.labels ?? [])].some((label) => label && content(label).trim())
          || (it.matches(fromContent) && content(it).trim());
        for (const it of shown(`${fromContent}, ${fromAuthor}`)) if (!isNamed(it)) report('no name', it);
        for (const it of shown('img:not([alt])')) report('no alternative', it);

        for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
          for (const it of shown(`[${name}]`)) {
            if (ids(it, name).some((id) => document.querySelectorAll(`#${CSS.escape(id)}`).length !== 1)) report(`${name} names not one element`, it);
          }
        }

        const owners = { row: ['table', 'treegrid'], cell: ['row'], columnheader: ['row'], gridcell: ['row'], tab: ['tablist'],
          option: ['listbox'], treeitem: ['tree'], listitem: ['list'] };
        for (const [role, all] of Object.entries(owners)) {
          for (const it of shown(`[role=${role}]`)) {
            const owner = it.parentElement.closest('[role]:not([role=presentation], [role=none], [role=group])');
            if (!all.includes(owner?.getAttribute('role'))) report('outside of its owner', it);
          }
        }

        const control = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not([tabindex="-1"])';
        const closed = 'a[href], button, [role=button], [role=tab], [role=option], [role=img], [role=slider]';
        for (const it of shown(closed)) if (it.querySelector(control)) report('has a control in it', it);
        for (const it of document.querySelectorAll(`[aria-hidden=true] ${control}`)) if (it.checkVisibility()) report('hidden from screen readers', it);

        let level = 0;
        for (const it of shown('main :is(h1, h2, h3, h4, h5, h6)')) {
          const own = Number(it.tagName[1]);
          if (own > level + 1) report(`follows a heading of level ${level}`, it);
          level = own;
        }
        if (!document.title.endsWith(' · Astrolabe')) faults.add(`title: ${document.title}`);
        return [...faults];
        """#
}
