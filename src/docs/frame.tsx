import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { htmlOf, sectionsOf } from './markdown.js';
import { DOCS_PATH, GROUPS, QUERY_MAX, REFERENCE_PATH, STYLE_PATH, type Page } from './page.js';
import type { Finding } from './search.js';

/** Parts of each page that stand around its text. */
export interface Around {
  product: string;
  pages: Page[];
}

/** Sections from which on a guide lists them. */
const LONG = 4;

/** Draws a page. */
export function drawPage({ title, path, group, markdown }: Page, around: Around) {
  const kind = path === DOCS_PATH ? 'overview' : group.toLowerCase();
  const isGuide = kind !== 'overview' && kind !== 'reference';
  const sections = isGuide ? sectionsOf(markdown).filter(({ depth }) => depth === 2) : [];
  return draw(
    { title, path, group, ...around },
    <>
      {sections.length >= LONG && (
        <>
          <button type="button" popovertarget="page-sections">
            On this page
          </button>
          <nav id="page-sections" popover="auto" aria-label="On this page">
            <p>On this page</p>
            <Links to={sections.map(({ heading, anchor }) => [`#${anchor}`, heading])} />
          </nav>
        </>
      )}
      {/* oxlint-disable-next-line eslint-js/no-restricted-syntax -- Markdown of the repository */}
      <article class={kind} dangerouslySetInnerHTML={{ __html: htmlOf(markdown) }} />
    </>,
  );
}

/** Draws what a search finds. */
export function drawResults(q: string, found: Finding[], around: Around) {
  const title = found.length === 0 ? `Nothing found for “${q}”` : `Search: ${q}`;
  return draw(
    { title, q, ...around },
    <article>
      <h1>{title}</h1>
      {found.length === 0 && (
        <p>
          Try fewer or other words, or look through <a href={DOCS_PATH}>all pages</a>.
        </p>
      )}
      <ol class="results">
        {found.map(({ title: page, heading, href, excerpt }) => (
          <li>
            <a href={href}>
              {href.startsWith(REFERENCE_PATH) && 'Reference › '}
              {heading === page ? page : `${page} › ${heading}`}
            </a>
            <p>{excerpt.map(({ text, isFound }) => (isFound ? <mark>{text}</mark> : text))}</p>
          </li>
        ))}
      </ol>
    </article>,
  );
}

function draw(about: Around & Partial<Page> & { q?: string }, content: ComponentChildren) {
  const { product, pages, title = '', path, group: current, q = '' } = about;
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${product}`}</title>
        <link rel="stylesheet" href={STYLE_PATH} />
        {path !== undefined && <link rel="alternate" type="text/markdown" href={`${path}.md`} />}
      </head>
      <body>
        <header>
          <button type="button" popovertarget="site-pages">
            Menu
          </button>
          <a href={DOCS_PATH}>
            {product} <span>Docs</span>
          </a>
          <form action={DOCS_PATH} role="search">
            <input
              {...{ type: 'search', name: 'q', value: q, maxlength: QUERY_MAX }}
              {...{ placeholder: 'Search', 'aria-label': 'Search the docs' }}
            />
          </form>
        </header>
        <nav id="site-pages" popover="auto" aria-label="Pages">
          {GROUPS.map((group) => (
            <details open={group === current}>
              <summary>{group}</summary>
              <Links
                to={pages.filter((page) => page.group === group).map((page) => [page.path, page.title])}
                current={path}
              />
            </details>
          ))}
        </nav>
        <main>{content}</main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}

/** Draws links without the address of a request in their titles, such as `List: GET /submissions`. */
function Links({ to, current }: { to: [href: string, title: string][]; current?: string | undefined }) {
  return (
    <ul>
      {to.map(([href, title]) => (
        <li>
          <a href={href} aria-current={href === current ? 'page' : undefined}>
            {title.replace(/: .*/, '')}
          </a>
        </li>
      ))}
    </ul>
  );
}
