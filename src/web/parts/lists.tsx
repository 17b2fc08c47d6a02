import type { ComponentChildren } from 'preact';
import { Icon } from './content.js';
import { textOf, type Typed } from './typed.js';

/** Draws the search field of a list, above every long one. */
export function ListTools(props: { action: string; label: string; q: string }) {
  const { action, label, q } = props;
  return (
    <div class="list-tools">
      <SearchForm action={action} label={label} placeholder={label} value={q} />
    </div>
  );
}

/** Draws a search field with its button. It sends by GET, so that a result has an address. */
export function SearchForm(props: {
  /** A path of this service. */
  action: string;
  label: string;
  placeholder: string;
  value: string;
  /** The id of what describes the field; of a problem where it is invalid. */
  describedBy?: string;
  isInvalid?: boolean;
  children?: ComponentChildren;
}) {
  const { action, label, describedBy, isInvalid = false, children, ...input } = props;
  return (
    <form class="search" action={action} role="search">
      <label class="unseen" for="f-q">
        {label}
      </label>
      <input
        {...input}
        id="f-q"
        name="q"
        type="search"
        maxlength={255}
        autocomplete="off"
        autofocus={isInvalid}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
      />
      <button type="submit" class="button plain">
        <Icon name="search" />
        <span>Search</span>
      </button>
      {children}
    </form>
  );
}

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
    <nav class="pages" aria-label="Pages">
      {first === null ? <span /> : <a href={first}>First page</a>}
      {next !== null && (
        <a href={next} rel="next">
          Next <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}
