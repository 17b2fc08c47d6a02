import { createHash } from 'node:crypto';
import { isDarkColour } from '../forms/colour.js';
import type { Form } from '../forms/form.entity.js';
import { html, type Html } from '../shared/html.js';

/** A page and the Content-Security-Policy it is served under. */
export interface Page {
  html: string;
  policy: string;
}

type Colours = Pick<Form, 'bgColor' | 'textColor' | 'linkColor'>;

const NO_COLOURS: Colours = { bgColor: null, textColor: null, linkColor: null };

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: 2.5rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 2rem 0 .75rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
.text, pre, dd { white-space: pre-wrap; }
pre, input, textarea { border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .375rem; }
pre { padding: 1rem; font-size: .875rem; }
label { display: block; margin-top: 1rem; }
input, textarea, button { font: inherit; width: 100%; padding: .6rem; }
button { margin-top: 1.25rem; cursor: pointer; font-weight: 600; border: 0; border-radius: .375rem; background: CanvasText; color: Canvas; }
a:focus-visible, input:focus-visible, textarea:focus-visible, button:focus-visible { outline: 3px solid; outline-offset: 2px; }
`;

/**
 * Puts content into the frame that all pages for visitors share: no scripts, no requests to anywhere,
 * one style sheet allowed by its hash, framable by any site.
 * @param colours of the form; already known to be colours and nothing else
 * @param formTargets where forms of the page may lead, as a source list of the policy
 */
export function layout(
  title: string,
  content: Html,
  colours: Colours = NO_COLOURS,
  formTargets = "'none'",
): Page {
  const style = STYLE + colourRules(colours);
  const hash = createHash('sha256').update(style).digest('base64');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>`;
  const rest = html`</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action ${formTargets}; base-uri 'none'; frame-ancestors *`;
  return { html: page.text + style + rest.text, policy };
}

/**
 * A colour of the owner's choice is kept in the dark too. What was left open is chosen to be readable
 * with it: the scheme makes default texts and links dark or light.
 */
function colourRules({ bgColor, textColor, linkColor }: Colours): string {
  const rules = [
    bgColor === null ? '' : `body { background: ${bgColor}; }`,
    textColor === null ? '' : `body { color: ${textColor}; }`,
    linkColor === null ? '' : `a { color: ${linkColor}; }`,
    schemeRule(bgColor, textColor),
  ];
  return rules.filter((rule) => rule !== '').join('\n');
}

function schemeRule(background: string | null, text: string | null): string {
  if (background === null && text === null) return '';
  const isDark = background === null ? !isDarkColour(text ?? '') : isDarkColour(background);
  return `:root { color-scheme: ${isDark ? 'dark' : 'light'}; }`;
}
