/** Style sheet of the pages, for print, phones and the dark too. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f8fbfb, #0f1416); --surface: light-dark(#fff, #171d1f); --ink: light-dark(#17211f, #e7edec); --soft: light-dark(#52605e, #a3b0ae); --line: light-dark(#dde5e3, #2c3537); --accent: light-dark(#00695c, #6fd3bf); --wash: light-dark(#e3f3ef, #1d3330); }
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; background: var(--ground); color: var(--ink); }
body { margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 4rem; font: 0.9375rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; padding: 0.75rem 0; }
header a { color: inherit; text-decoration: none; }
input { width: min(20rem, 80vw); min-height: 2.5rem; padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); color: inherit; font: inherit; font-size: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 0.5rem; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 2rem 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 1rem 0 0.25rem; }
article > h2 { margin-top: 0.75rem; }
p { margin: 0.5rem 0; max-width: 44rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
nav ul { display: flex; gap: 0.25rem; overflow-x: auto; list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.4rem 0.75rem; border-radius: 0.5rem; color: inherit; text-decoration: none; white-space: nowrap; }
nav a[aria-current] { background: var(--wash); font-weight: 600; }
.parts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1rem; margin: 1.5rem 0; padding: 0; list-style: none; }
.parts li { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.parts a { font-weight: 600; }
small { color: var(--soft); font-size: 0.8125rem; }
.operation { margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.operation summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.75rem; padding: 0.65rem 1rem; cursor: pointer; }
.operation summary b { flex: 0 0 4rem; color: var(--accent); font-size: 0.8125rem; }
.operation summary span { flex: 1 1 14rem; color: var(--soft); text-align: end; }
.operation article { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
.delete { --accent: light-dark(#a3261b, #f0a097); }
pre { padding: 0.75rem 1rem; overflow: auto; border-radius: 0.5rem; background: var(--wash); overflow-wrap: normal; }
code { font-family: ui-monospace, Menlo, 'DejaVu Sans Mono', monospace; font-size: 0.875em; }
dl { margin: 0; }
dt { margin-top: 0.5rem; }
dd { margin: 0 0 0 1.25rem; }
dd p, dd ul { margin: 0.15rem 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 12rem minmax(0, 1fr); column-gap: 2.5rem; align-content: start; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; margin-top: 1rem; }
  nav ul { display: grid; }
}
@media print { nav, form { display: none; } }
`;
