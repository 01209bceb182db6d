/// The style of the page, in light and dark mode.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --ground: light-dark(#fbfbfa, #0c0e13); --panel: light-dark(#ffffff, #12151c);
          --line: light-dark(#1a1d2714, #ffffff14); --line-strong: light-dark(#1a1d2730, #ffffff2b);
          --text: light-dark(#191c24, #e8eaf0); --text-2: light-dark(#565d6d, #a4abbb);
          --text-3: light-dark(#6d7484, #7f879a); --accent: light-dark(#b98524, #dcae5a);
          --phone: light-dark(#4c56cf, #8f9bff); --backend: light-dark(#0b8a77, #4fc7b3);
          --critical: light-dark(#cf3239, #ff7b80); --high: light-dark(#d08a17, #f0b35c);
          --normal: var(--phone); --low: light-dark(#8d94a5, #767e91);
          --sleep: light-dark(#1a1d271c, #ffffff1f); --gone: light-dark(#1a1d270b, #ffffff0b); --offline: light-dark(#3d4353, #d3d7e2);
          --incident: light-dark(#cf32391f, #ff7b802e);
          --good-soft: light-dark(#0b8a771a, #4fc7b326); --bad-soft: light-dark(#cf32391a, #ff7b8026);
        }
        * { box-sizing: border-box; margin: 0; }
        body {
          background: var(--ground); color: var(--text); font-size: 13px; line-height: 1.45;
          font-family: -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          font-variant-numeric: tabular-nums; max-width: 1328px; margin: 0 auto; padding: 34px 24px 26px;
          -webkit-font-smoothing: antialiased;
        }
        header { display: flex; align-items: flex-start; justify-content: space-between; gap: 32px; margin-bottom: 22px; }
        h1 { font-size: 26px; font-weight: 650; letter-spacing: -.022em; line-height: 1.2; }
        header p { color: var(--text-2); max-width: 100ch; margin-top: 6px; font-size: 13.5px; }
        .verdict { flex: none; padding: 6px 13px; border-radius: 99px; font-weight: 600; margin-top: 3px; }
        .verdict::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 8px; background: currentColor; }
        .verdict.good { color: var(--backend); background: var(--good-soft); }
        .verdict.bad { color: var(--critical); background: var(--bad-soft); }
        main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
        .tiles, .wide { grid-column: 1 / -1; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); background: var(--panel); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
        .tile { display: grid; gap: 2px; padding: 15px 18px 14px; box-shadow: -1px 0 0 var(--line); }
        .tile span { color: var(--text-2); font-size: 12.5px; }
        .tile strong { font-size: 24px; font-weight: 650; letter-spacing: -.025em; line-height: 1.25; }
        .tile small { color: var(--text-3); font-size: 11.5px; }
        .tile.wrong strong { color: var(--critical); }
        .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px 14px; min-width: 0; }
        .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; margin-bottom: 12px; }
        h2 { font-size: 14.5px; font-weight: 620; letter-spacing: -.01em; }
        .head p { color: var(--text-3); font-size: 12px; }
        .legend { margin-left: auto; display: flex; flex-wrap: wrap; gap: 2px 14px; color: var(--text-2); font-size: 12px; }
        .legend span, .quantiles th { white-space: nowrap; }
        .legend i, .quantiles i { display: inline-block; width: 9px; height: 9px; border-radius: 2.5px; margin-right: 6px; }
        svg { display: block; width: 100%; height: auto; overflow: visible; }
        svg text { font-family: inherit; }
        .tick { font-size: 11px; fill: var(--text-3); } .lane { font-size: 12px; fill: var(--text-2); }
        .middle { text-anchor: middle; } .end { text-anchor: end; }
        .grid { stroke: var(--line); } .axis { stroke: var(--line-strong); } .dashed { stroke-dasharray: 3 4; stroke: var(--line-strong); }
        .stroke { fill: none; stroke-width: 1.9; stroke-linejoin: round; } .thin { fill: none; stroke-width: 1.1; stroke-linejoin: round; }
        .soft { opacity: .13; } .fill { opacity: .82; } .wait { opacity: .32; } .dead { opacity: .35; }
        .incident { fill: var(--incident); } .mark { stroke: var(--panel); stroke-width: 1.4; }
        .quantiles { width: 100%; margin-top: 12px; border-collapse: collapse; }
        .quantiles th { font-weight: 500; text-align: left; padding: 4px 0; border-top: 1px solid var(--line); }
        .quantiles td { text-align: right; padding: 4px 0 4px 14px; border-top: 1px solid var(--line); font-weight: 550; white-space: nowrap; }
        .quantiles tr:first-child th { color: var(--text-3); font-size: 11.5px; text-align: right; border: 0; }
        .quantiles td.note { text-align: left; font-weight: 400; padding-left: 14px; }
        .note { color: var(--text-3); font-size: 12px; }
        h3 { font-size: 12px; font-weight: 500; color: var(--text-3); margin: 2px 0 8px; }
        .bar + h3 { margin-top: 14px; }
        .bar { display: grid; grid-template-columns: 104px minmax(0, 1fr) 116px; gap: 12px; align-items: center; height: 25px; }
        .bar span { color: var(--text-2); white-space: nowrap; } .bar em { font-style: normal; font-weight: 550; text-align: right; white-space: nowrap; }
        .bar i { display: block; height: 11px; border-radius: 3px; background: var(--gone); overflow: hidden; }
        .bar b { display: block; height: 100%; min-width: 0; border-radius: 3px; opacity: .88; }
        .gap { height: 20px; border-bottom: 1px solid var(--line); margin: 0 -18px 16px; }
        .gap + h2 { margin-bottom: 6px; }
        .aside { color: var(--text-3); font-size: 12px; margin-top: 8px; }
        .columns { columns: 2; column-gap: 36px; }
        .columns table { width: 100%; border-collapse: collapse; break-inside: avoid; margin-bottom: 18px; }
        caption { text-align: left; font-weight: 600; padding-bottom: 5px; }
        .columns th { text-align: left; font-weight: 400; color: var(--text-2); padding: 4px 0; border-top: 1px solid var(--line); white-space: pre; }
        .columns td { text-align: right; font-weight: 550; padding: 4px 0 4px 14px; border-top: 1px solid var(--line); }
        .columns td.note { text-align: left; font-weight: 400; width: 46%; }
        .faults { color: var(--critical); padding-left: 18px; }
        footer { color: var(--text-3); margin-top: 18px; font: 12px ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
        @media (max-width: 900px) {
          main { grid-template-columns: minmax(0, 1fr); } header { flex-direction: column; gap: 12px; }
          .columns { columns: 1; } .quantiles .note, .quantiles tr:first-child th:first-child { display: none; } .card { overflow-x: auto; } .wide svg { min-width: 820px; }
        }
        """
}
