import { Button, Field } from '../parts/controls.js';
import { SaveView, type ViewShown } from '../saved-views/views.page.js';
import { words } from '../words.js';
import type { Choice } from '../rows/assignee.js';
import {
  FOLDER_NAMES,
  folderOf,
  formsOf,
  inboxAddress,
  inFolder,
  inForm,
} from '../addresses/folders.js';

/** A filter and the forms that it may be narrowed down to. */
interface NarrowingProps {
  /** The filter, as it was typed. */
  line: string;
  /** Every form that the person sees, with what is new and unread in it; some of them where there are many. */
  forms: { name: string; identifier: string; unread: number }[];
  /** Whether there are more forms than these. */
  hasMoreForms: boolean;
  /** Unread submissions of a form are counted up to here. */
  unreadMax: number;
}

/** Returns a count as it is shown: from the highest that is counted on, with a plus. */
export function countOf(count: number, max: number): string {
  return count >= max ? `${max - 1}+` : String(count);
}

/** Draws saved filters as links, and a form that saves this one. */
export function Views(props: {
  line: string;
  views: readonly ViewShown[];
  /** The id of who looks; null for who is not a person. */
  me: number | null;
  choices: readonly Choice[];
  mayTriage: boolean;
}) {
  const { line, views, me, choices, mayTriage } = props;
  const fixed = [
    ...(me === null ? [] : [{ id: 'me', name: words.views.mine, line: 'assigned:me' }]),
    ...(choices.length > 1
      ? [{ id: 'none', name: words.views.unassigned, line: 'is:new assigned:none' }]
      : []),
  ];
  return (
    <nav class="views chips" aria-label={words.views.nav}>
      {[...fixed, ...views].map((view) => (
        <a
          class="chip"
          dir="auto"
          href={inboxAddress(view.line)}
          aria-current={view.line === line ? 'page' : undefined}
        >
          {view.name}
        </a>
      ))}
      <details class="confirm">
        <summary class="hint">{words.views.save}</summary>
        <div class="sheet">
          <SaveView line={line} mayShare={mayTriage} />
        </div>
      </details>
      <a class="hint" href="/views">
        {words.views.manage}
      </a>
    </nav>
  );
}

/** Draws the folders, with the rest of the filter kept, and how much is held. */
export function Folders(props: { line: string; held: number | null; heldMax: number }) {
  const { line, held, heldMax } = props;
  const { inbox } = words;
  return (
    <nav class="tabs" id="folders" data-fresh aria-label={inbox.foldersLabel}>
      {FOLDER_NAMES.map((folder) => (
        <a
          href={inboxAddress(inFolder(line, folder))}
          aria-current={folder === folderOf(line) ? 'page' : undefined}
        >
          {inbox.folders[folder]}
          {folder === 'held' && held !== null && held > 0 && (
            <span class="count">{countOf(held, heldMax)}</span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** Draws the forms as ways to narrow the filter down, each with what is unread in it. */
export function Forms({ line, forms, hasMoreForms, unreadMax }: NarrowingProps) {
  const chosen = formsOf(line, forms);
  return (
    <nav class="form-list" id="forms" data-fresh aria-label={words.inbox.forms}>
      <a
        href={inboxAddress(inForm(line, null))}
        aria-current={chosen.length === 0 ? 'page' : undefined}
      >
        <span>{words.inbox.allForms}</span>
      </a>
      {forms.map((form) => (
        <a
          href={inboxAddress(inForm(line, form))}
          aria-current={chosen.includes(form) ? 'page' : undefined}
        >
          <span dir="auto">{form.name}</span>
          {form.unread > 0 && (
            <span class="count">
              {countOf(form.unread, unreadMax)} <span>{words.inbox.unread}</span>
            </span>
          )}
        </a>
      ))}
      {hasMoreForms && (
        <a href="/go">
          <span>{words.inbox.findForm}</span>
        </a>
      )}
    </nav>
  );
}

/** Draws the filter. It sends by GET, so that a result has an address. */
export function Filter({ line, unclear }: { line: string; unclear: readonly string[] }) {
  const { inbox } = words;
  const message = inbox.unclear(unclear);
  return (
    <form class="filter" action="/inbox" role="search">
      <Field
        name="q"
        label={inbox.filter}
        hint={inbox.filterHint}
        type="search"
        value={line}
        maxlength={255}
        autocomplete="off"
        {...(unclear.length > 0 && { problems: [{ field: 'q', code: 'filter_unclear', message }] })}
      />
      <Button kind="plain">{inbox.find}</Button>
    </form>
  );
}
