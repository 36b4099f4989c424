/** The guides have the colors of the dashboard. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f8f6f2, #15131c); --surface: light-dark(#ffffff, #1c1a25); --line: light-dark(#e6e1d8, #322e3f);
  --ink: light-dark(#1d1a2b, #f4f2f9); --soft: light-dark(#524d5f, #bcb7ca); --accent: light-dark(#3a4bd0, #a3b1ff);
}
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 20px; padding: 12px 24px; border-bottom: 1px solid var(--line); background: var(--surface); font-size: 14px; }
.skip:not(:focus) { position: absolute; inset-inline-start: -999px; }
nav { padding: 8px 24px; border-bottom: 1px solid var(--line); font-size: 14px; }
nav summary { padding: 4px 0; cursor: pointer; font-weight: 600; }
nav h2 { margin: 20px 0 4px; font-size: 13px; color: var(--soft); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 4px 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav [aria-current] { color: var(--ink); font-weight: 600; }
main { box-sizing: border-box; max-width: 800px; margin: 0 auto; padding: 16px 24px 80px; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.3; letter-spacing: -0.01em; scroll-margin-top: 16px; }
h1 { font-size: 28px; } h2 { margin-top: 40px; font-size: 20px; } h3 { margin-top: 32px; font-size: 16px; }
a { color: var(--accent); text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible, pre:focus-visible, .table:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
li { margin: 4px 0; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 10px; }
code { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { overflow: auto; padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
.wide { max-width: none; padding: 0; }
#chapters { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 8px 24px; font-size: 14px; }
#chapters [aria-current] { color: var(--ink); font-weight: 600; }
.wide rapi-doc { height: 100vh; }
#status { padding: 16px 24px; }
@media (min-width: 1100px) {
  body { display: grid; grid-template-columns: 264px minmax(0, 1fr); grid-template-rows: auto 1fr; }
  header { grid-column: 1 / 3; }
  nav { border: 0; border-inline-end: 1px solid var(--line); }
  nav:not(:has(+ .wide)) details::details-content { content-visibility: visible; block-size: auto; }
  nav:not(:has(+ .wide)) summary { display: none; }
  main { width: 100%; }
  body:has(.wide) { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto auto 1fr; }
  body:has(.wide) header { grid-column: 1; }
  body:has(.wide) nav { border: 0; border-bottom: 1px solid var(--line); }
}
blockquote { margin: 16px 0; padding: 0 16px; border-inline-start: 3px solid var(--line); color: var(--soft); }
`;
