import { Icon } from '../parts/icon.js';
import { SearchForm } from '../parts/lists.js';
import { inboxWords } from './words.js';
import { hasPart, inboxAddress, scopeOf, searchOf, toggled } from '../addresses/folders.js';

/** Draws the search field of the inbox, which looks in the folder and the forms that are shown. */
export function Search({ line, unclear }: { line: string; unclear: readonly string[] }) {
  const isUnclear = unclear.length > 0;
  return (
    <SearchForm
      action="/inbox"
      label={inboxWords.filter}
      placeholder={inboxWords.placeholder}
      value={isUnclear ? line : searchOf(line)}
      describedBy={isUnclear ? 'f-q-problem' : 'f-q-hint'}
      isInvalid={isUnclear}
    >
      <input type="hidden" name="in" value={isUnclear ? '' : scopeOf(line)} />
      <div class="hint" id="f-q-hint">
        <p>{inboxWords.filterHint}</p>
        <p>
          <code>{inboxWords.filterExample}</code>
        </p>
      </div>
      {isUnclear && (
        <p class="problem" id="f-q-problem">
          <Icon name="circle-x" /> {inboxWords.unclear(unclear)}
        </p>
      )}
    </SearchForm>
  );
}

/** Parts of a filter that a click adds and takes, in the order in which they are shown. */
const QUICK = {
  unread: 'is:unread',
  starred: 'is:starred',
  mine: 'assigned:me',
  files: 'has:file',
  failed: 'is:failed',
  waiting: 'is:waiting',
  today: 'from:today',
  week: 'from:7d',
  month: 'from:30d',
} as const;

/** Draws filters that a click adds and takes. @param props.isPerson whether something can be assigned to the reader */
export function QuickFilters({ line, isPerson }: { line: string; isPerson: boolean }) {
  const names = Object.keys(QUICK) as (keyof typeof QUICK)[];
  return (
    <nav class="quick" aria-label={inboxWords.quickLabel}>
      {names
        .filter((name) => isPerson || name !== 'mine')
        .map((name) => (
          <a
            class="chip"
            href={inboxAddress(toggled(line, QUICK[name]))}
            aria-current={hasPart(line, QUICK[name]) ? 'true' : undefined}
          >
            {inboxWords.quick[name]}
          </a>
        ))}
    </nav>
  );
}
