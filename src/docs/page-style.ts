/** Style sheet of the page, for print, phones and dark mode too; colours are the browser's own. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; background: Canvas; color: CanvasText; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 4rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 2rem 0 .5rem; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 3rem 0 .5rem; }
h3 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 .5rem; }
h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; max-width: 44rem; }
article, main > section[aria-labelledby]:not(:has(h2)) { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); margin-top: 1.5rem; padding-top: 1.5rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; font-size: .9375rem; }
nav li a { display: block; padding: .2rem 0; }
nav p { font-weight: 600; margin: 1rem 0 .25rem; }
code { font-size: .9em; }
.route { padding: .5rem .75rem; max-width: none; border-radius: .375rem; background: color-mix(in srgb, currentColor 8%, transparent); }
dl { margin: 0; }
dt { margin-top: .5rem; }
dd { margin: 0 0 0 1.25rem; }
dd p, dd ul { margin: .15rem 0; }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); column-gap: 3rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; align-self: start; }
}
@media print { nav { display: none; } }
`;
