import { Icon, Menu, SearchForm } from '../parts/index.js';
import { hasPart, inboxAddress, scopeOf, searchOf, toggled } from '../addresses/folders.js';

/** Words of the inbox. */
export const inboxWords = {
  forms: 'Forms',
  actions: {
    done: 'Done',
    notDone: 'Reopen',
    read: 'Read',
    unread: 'Unread',
    star: 'Star',
    spam: 'Spam',
    notSpam: 'Not spam',
    trash: 'Trash',
    restore: 'Restore',
    tag: 'Tag',
    assign: 'Assign',
    assignToMe: 'Assign to me',
  },
  tagLabel: 'Tag',
  more: 'More',
  unclear: (parts: readonly string[]) =>
    `Unknown filter: ${parts.join(' ')}${parts.some((part) => part.startsWith('-')) ? ' – it is not possible to leave a word out; put it in quotes to search for it' : ''}`,
  quick: {
    unread: 'Unread',
    starred: 'Starred',
    mine: 'Mine',
    files: 'With files',
    failed: 'Delivery failed',
    waiting: 'Not confirmed',
    today: 'Today',
    week: '7 days',
    month: '30 days',
  },
  emptyFolders: {
    new: { title: 'You’re all caught up', text: 'New submissions appear here until you mark them as done.' },
    all: { title: 'No submissions yet', text: 'Submissions from your forms appear here.' },
    done: { title: 'Nothing done yet', text: 'Submissions you complete appear here.' },
    held: { title: 'Nothing on hold', text: 'Possible spam waits here for your decision.' },
    spam: { title: 'No spam', text: 'Spam is kept here, with the reason for each.' },
    trash: { title: 'Trash is empty', text: 'Submissions you delete stay here until they are erased.' },
  },
} as const;

/** Draws the search field of the inbox, which looks in the folder and the forms that are shown. */
export function Search({ line, unclear }: { line: string; unclear: readonly string[] }) {
  const isUnclear = unclear.length > 0;
  return (
    <SearchForm
      action="/inbox"
      label="Search submissions"
      placeholder="Search"
      value={isUnclear ? line : searchOf(line)}
      describedBy={isUnclear ? 'f-q-problem' : 'f-q-hint'}
      isInvalid={isUnclear}
    >
      <input type="hidden" name="in" value={isUnclear ? '' : scopeOf(line)} />
      <div class="hint" id="f-q-hint">
        <p>Type words, or filters that all have to match, such as:</p>
        <p>
          <code>is:unread assigned:me tag:urgent has:file from:7d page:/contact email:jane@example.com</code>
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

/** Parts of a filter that a click adds and takes, in the order in which they are shown; the first stand by themselves. */
const QUICK = {
  unread: 'is:unread',
  mine: 'assigned:me',
  files: 'has:file',
  starred: 'is:starred',
  failed: 'is:failed',
  waiting: 'is:waiting',
  today: 'from:today',
  week: 'from:7d',
  month: 'from:30d',
} as const;

type QuickName = keyof typeof QUICK;

const CHIPS = 3;

/**
 * Draws filters that a click adds and takes: some as chips, the others in a menu that says which of them hold.
 * @param props.isPerson whether something can be assigned to the reader
 */
export function QuickFilters({ line, isPerson }: { line: string; isPerson: boolean }) {
  const names = Object.keys(QUICK) as QuickName[];
  const chips = names.slice(0, CHIPS).filter((name) => isPerson || name !== 'mine');
  const others = names.slice(CHIPS);
  const chosen = others.filter((name) => hasPart(line, QUICK[name]));
  const link = (name: QuickName) => (
    <a
      class="chip"
      href={inboxAddress(toggled(line, QUICK[name]))}
      aria-current={hasPart(line, QUICK[name]) ? 'true' : undefined}
    >
      {inboxWords.quick[name]}
    </a>
  );
  return (
    <nav class="quick" aria-label="Filters">
      {chips.map(link)}
      <Menu
        class={chosen.length > 0 ? 'filters chosen' : 'filters'}
        icon="plus"
        text={chosen.map((name) => inboxWords.quick[name]).join(', ') || 'Filter'}
      >
        {others.map(link)}
      </Menu>
    </nav>
  );
}
