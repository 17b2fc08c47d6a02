import { createHash } from 'node:crypto';
import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import { styleSheet, isDarkColour, readableColour } from '../platform/index.js';
import type { SnippetScript } from '../forms/model/form-snippet.js';
import type { Form } from '../forms/model/form.entity.js';
import { ENGLISH, type Words } from '../languages/words.js';

/** A page and the Content-Security-Policy it is served under. */
export interface HtmlPage {
  html: string;
  policy: string;
  language: string;
}

const Spoken = createContext(ENGLISH);

/** Returns the words of the page that is drawn. */
export const useWords = () => useContext(Spoken);

type Colours = Pick<Form, 'bgColor' | 'textColor' | 'linkColor'> & { accent?: string | null };

const NO_COLOURS: Colours = { bgColor: null, textColor: null, linkColor: null };

const STYLE = styleSheet('visitor-pages/visitor.css');

/** Look of a page; a part that is absent is as on most pages. */
interface Look {
  /** Colours of the form, as `parseColour` passed them, since they are written into the style sheet. */
  colours?: Colours;
  /** Addresses that forms of the page may lead to, as a source list of the policy. */
  targets?: string;
  /** Sites that may frame it, as a source list; any by default. */
  frames?: string;
  /** Script of the service that it loads; absent for none. */
  script?: SnippetScript;
  isIndexed?: boolean;
}

/**
 * Renders a page for visitors: no requests to anywhere else, one style sheet that is allowed by its hash, and most
 * often no scripts.
 */
export function layout(title: string, content: ComponentChildren, words: Words = ENGLISH, look: Look = {}): HtmlPage {
  const { colours = NO_COLOURS, targets = "'none'", frames = '*', script, isIndexed = false } = look;
  const style = STYLE + colourRules(colours);
  const hash = createHash('sha256').update(style).digest('base64');
  const page = (
    <html lang={words.language} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {!isIndexed && <meta name="robots" content="noindex" />}
        <title>{title}</title>
        <style>{style}</style>
        {script && (
          <script src={`/${script.name}`} integrity={script.integrity ?? undefined} crossorigin="anonymous" async />
        )}
      </head>
      <body>
        <Spoken.Provider value={words}>
          <main>{content}</main>
        </Spoken.Provider>
      </body>
    </html>
  );
  const scripts = script ? "script-src 'self'; connect-src 'self'; " : '';
  const policy = `default-src 'none'; ${scripts}style-src 'sha256-${hash}'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors ${frames}`;
  return { html: `<!doctype html>${renderToString(page)}\n`, policy, language: words.language };
}

/** Returns a message with its details as HTML to be put into a page of somebody else's. */
export function fragment(message: string, { language, dir }: Words, details: readonly string[] = []) {
  const spoken = language === 'en' ? {} : { lang: language, dir };
  return renderToString(
    <>
      <p {...spoken}>{message}</p>
      {details.length > 0 && (
        <ul {...spoken}>
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
