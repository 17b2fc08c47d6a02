import { Icon } from './icon.js';
import { textOf, type Typed } from './typed.js';
import { partWords } from './words.js';

/** Where else a list goes on that is shown page by page; null where there is nothing. */
export interface ListPages {
  first: string | null;
  next: string | null;
}

/** Returns the id that a page begins after; 0 for the first page. */
export function idOf(sent: Typed, name: string): number {
  const id = Number(textOf(sent, name));
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/**
 * Returns the addresses of other pages.
 * @param found the rows of this page, and one more where there are more
 * @param after where this page begins
 */
export function pagesOf(
  path: string,
  found: readonly { id: number }[],
  perPage: number,
  after: number,
): ListPages {
  const last = found.length > perPage ? found[perPage - 1] : undefined;
  return { first: after > 0 ? path : null, next: last ? `${path}?after=${last.id}` : null };
}

/** Draws the links to the first and to the next page of a list; nothing where it has one page. */
export function Pages({ pages: { first, next } }: { pages: ListPages }) {
  if (first === null && next === null) return null;
  return (
    <nav class="pages" aria-label={partWords.pages.label}>
      {first === null ? <span /> : <a href={first}>{partWords.pages.first}</a>}
      {next !== null && (
        <a href={next} rel="next">
          {partWords.pages.next} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}
