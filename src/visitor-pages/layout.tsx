import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { styleSheet, isDarkColour, readableColour } from '../platform/index.js';
import type { Form } from '../forms/model/form.entity.js';

/** A page and the Content-Security-Policy it is served under. */
export interface HtmlPage {
  html: string;
  policy: string;
}

type Colours = Pick<Form, 'bgColor' | 'textColor' | 'linkColor'> & { accent?: string | null };

const NO_COLOURS: Colours = { bgColor: null, textColor: null, linkColor: null };

const STYLE = styleSheet('visitor-pages/visitor.css');

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
export function fragment(message: string, details: readonly string[] = []) {
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
function colourRules({ bgColor, textColor, linkColor, accent = null }: Colours) {
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

function schemed(colour: string) {
  return `light-dark(${readableColour(colour, 'light')}, ${readableColour(colour, 'dark')})`;
}

function schemeRule(background: string | null, text: string | null) {
  if (background === null && text === null) return '';
  const isDark = background === null ? !isDarkColour(text ?? '') : isDarkColour(background);
  return `:root { color-scheme: ${isDark ? 'dark' : 'light'}; }`;
}
