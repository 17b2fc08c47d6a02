import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { isDarkColour, readableColour } from '../platform/kernel/text/colour.js';
import type { Form } from '../forms/model/form.entity.js';

/** A page and the Content-Security-Policy it is served under. */
export interface HtmlPage {
  html: string;
  policy: string;
}

type Colours = Pick<Form, 'bgColor' | 'textColor' | 'linkColor'> & { accent?: string | null };

const NO_COLOURS: Colours = { bgColor: null, textColor: null, linkColor: null };

/** Has no `<`, `&` or quotes: rendering would escape them, and the text must match its hash in the policy. */
const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(oklch(98.4% .004 200), oklch(18% .009 220)); color: light-dark(oklch(25% .018 225), oklch(93% .006 220)); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: clamp(1.5rem, 9vh, 5rem) 1.25rem 3rem; overflow-wrap: anywhere; }
a { color: light-dark(oklch(46% .085 185), oklch(79% .1 182)); text-underline-offset: .2em; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
p { margin: 0 0 1rem; }
img { display: block; max-width: 14rem; max-height: 4rem; margin: 0 0 1rem; }
.owner { margin: 0 0 1.5rem; font-weight: 600; }
svg { display: block; width: 2.75rem; height: 2.75rem; margin: 0 0 1.25rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.good { color: light-dark(oklch(48% .12 152), oklch(80% .13 152)); }
.bad { color: light-dark(oklch(50% .17 26), oklch(77% .12 24)); }
dl { margin: 0 0 2rem; }
dl div { padding: .7rem 0; border-top: 1px solid color-mix(in srgb, currentColor 16%, transparent); }
dt { font-size: .875rem; opacity: .75; }
dd { margin: 0; }
.text, pre, dd { white-space: pre-wrap; }
pre, input, textarea, select { border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .5rem; }
pre { padding: 1rem; font: .875rem/1.6 ui-monospace, monospace; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, textarea, select { margin-top: .3rem; background: transparent; color: inherit; font-weight: 400; }
input, textarea, select, button { display: block; font: inherit; width: 100%; padding: .65rem .75rem; }
button { margin-top: 1.25rem; cursor: pointer; font-weight: 600; border: 0; border-radius: .5rem; background: light-dark(oklch(46% .085 185), oklch(79% .1 182)); color: light-dark(white, oklch(19% .03 190)); }
form + p { margin-top: 1.25rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
[aria-invalid] { border: 2px solid; border-color: light-dark(oklch(50% .17 26), oklch(77% .12 24)); }
.problem { margin: .35rem 0 0; font-weight: 600; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media print { svg, form { display: none; } }
`;

/**
 * Renders a page for visitors: no scripts, no requests to anywhere, one style sheet that is allowed by
 * its hash. Any site may frame it.
 * @param colours of the form, as `parseColour` passed them, since they are written into the style sheet
 * @param formTargets where forms of the page may lead, as a source list of the policy
 */
export function layout(
  title: string,
  content: ComponentChildren,
  colours: Colours = NO_COLOURS,
  formTargets = "'none'",
): HtmlPage {
  const style = STYLE + colourRules(colours);
  const hash = createHash('sha256').update(style).digest('base64');
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style>{style}</style>
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>
  );
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors *`;
  return { html: `<!doctype html>${renderToString(page)}\n`, policy };
}

/** Returns a message with its details as HTML to be put into a page of somebody else's. */
export function fragment(message: string, details: readonly string[] = []): string {
  return renderToString(
    <>
      <p>{message}</p>
      {details.length > 0 && (
        <ul>
          {details.map((detail) => (
            <li>{detail}</li>
          ))}
        </ul>
      )}
    </>,
  );
}

/**
 * Returns the rules for the owner's colours, which hold in dark mode too. The colours that the owner left
 * open must be readable with them, so the colour scheme is fixed to light or dark.
 */
function colourRules({ bgColor, textColor, linkColor, accent = null }: Colours): string {
  const rules = [
    // On a background of the form's own, nothing says that the owner's colour can be read.
    accent === null || bgColor !== null
      ? ''
      : `a { color: ${schemed(accent)}; } button { background: ${schemed(accent)}; }`,
    bgColor === null ? '' : `body { background: ${bgColor}; }`,
    textColor === null ? '' : `body { color: ${textColor}; }`,
    linkColor === null ? '' : `a { color: ${linkColor}; }`,
    // Our colour of the mark may be unreadable on the owner's background.
    bgColor === null ? '' : `.good, .bad { color: inherit; }`,
    schemeRule(bgColor, textColor),
  ];
  return rules.filter((rule) => rule !== '').join('\n');
}

function schemed(colour: string): string {
  return `light-dark(${readableColour(colour, 'light')}, ${readableColour(colour, 'dark')})`;
}

function schemeRule(background: string | null, text: string | null): string {
  if (background === null && text === null) return '';
  const isDark = background === null ? !isDarkColour(text ?? '') : isDarkColour(background);
  return `:root { color-scheme: ${isDark ? 'dark' : 'light'}; }`;
}
