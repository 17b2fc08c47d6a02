import type { ComponentChildren } from 'preact';
import { Button, Menu, type IconName, Icon } from '../parts/index.js';
import { inboxWords, QuickFilters } from './narrowing.js';
import { exportWords } from '../jobs/words.js';
import { EXPORT_FORMATS } from '../jobs/job.page.js';
import { optionsOf, type Choice, type InboxRow, rowWords } from '../rows/submission-table.js';
import {
  type FolderName,
  FOLDER_NAMES,
  folderOf,
  formsOf,
  inboxAddress,
  inFolder,
  inForm,
  onlyForm,
} from '../addresses/folders.js';
import { type ViewShown, viewWords } from '../saved-views/views.page.js';
import { folderWords, layoutWords } from '../layout/words.js';

type Action = keyof typeof inboxWords.actions;

/** Fields that each action sends. */
const ACTIONS: Record<
  Exclude<Action, 'tag' | 'assign' | 'assignToMe'>,
  [name: string, value: boolean, icon: IconName]
> = {
  done: ['done', true, 'check'],
  notDone: ['done', false, 'rotate-ccw'],
  read: ['read', true, 'circle-check'],
  unread: ['read', false, 'mail'],
  star: ['starred', true, 'star'],
  spam: ['spam', true, 'shield-alert'],
  notSpam: ['spam', false, 'inbox'],
  trash: ['trash', true, 'trash-2'],
  restore: ['trash', false, 'rotate-ccw'],
};

/** Actions in each folder; people without permission to triage can only mark as read. */
const OFFERED: Record<FolderName, (keyof typeof ACTIONS)[]> = {
  new: ['done', 'read', 'unread', 'star', 'spam', 'trash'],
  all: ['done', 'notDone', 'read', 'unread', 'star', 'spam', 'trash'],
  done: ['notDone', 'star', 'spam', 'trash'],
  held: ['notSpam', 'spam', 'done', 'read', 'unread', 'star', 'trash'],
  spam: ['notSpam', 'trash'],
  trash: ['restore'],
};

/** Tells whether a row leaves the list of a folder by an action; the script takes it away at once. */
function leaves(action: keyof typeof ACTIONS, folder: FolderName) {
  if (action === 'done') return folder === 'new';
  if (action === 'notDone') return folder === 'done';
  return ['spam', 'notSpam', 'trash', 'restore'].includes(action);
}

/** Actions that a bar has no room for: they stand behind its last button. */
const RARE: readonly Action[] = ['notDone', 'unread', 'star'];

/** Offers to assign what is selected. */
function Assigning({ choices, me }: { choices: readonly Choice[]; me: number | null }) {
  const options = optionsOf(choices, me);
  return (
    <>
      {choices.some(({ id }) => id === me) && (
        <Button kind="plain" icon="user" name="assign" value="me">
          {inboxWords.actions.assignToMe}
        </Button>
      )}
      <span class="bulk-tag">
        <select name="assignee" aria-label="Assign to">
          {options.map(({ value, label }) => (
            <option value={value}>{label}</option>
          ))}
        </select>
        <Button kind="plain" name="assign" value="chosen">
          {inboxWords.actions.assign}
        </Button>
      </span>
    </>
  );
}

/** Draws the button of an action. */
function ActionButton({ action, folder }: { action: keyof typeof ACTIONS; folder: FolderName }) {
  const [name, value, icon] = ACTIONS[action];
  return (
    <Button kind="plain" icon={icon} name={name} value={String(value)} leaves={leaves(action, folder)}>
      {inboxWords.actions[action]}
    </Button>
  );
}

/** Draws the button that exports what is selected. */
function ExportButton(format: (typeof EXPORT_FORMATS)[number]) {
  return (
    <Button kind="plain" icon="download" name="export" value={format}>
      Export {exportWords.formats[format]}
    </Button>
  );
}

/** Offers to tag what is selected. */
function Tagging() {
  return (
    <span class="bulk-tag">
      <input
        name="add_tag"
        aria-label={inboxWords.tagLabel}
        placeholder={inboxWords.tagLabel}
        maxlength={40}
        autocomplete="off"
      />
      <Button kind="plain" name="tag" value="true">
        {inboxWords.actions.tag}
      </Button>
    </span>
  );
}

/** Draws a form around a list, with what can be done with its selected rows. */
export function Bulk(props: {
  rows: InboxRow[];
  folder: FolderName;
  line: string;
  /** Where this page begins; '' for the first. */
  before: string;
  mayTriage: boolean;
  mayExport: boolean;
  choices: readonly Choice[];
  me: number | null;
  /** How many the filter means on all pages: null when that was not counted; undefined when there are no more. */
  matching: number | null | undefined;
  children: ComponentChildren;
}) {
  const offered = OFFERED[props.folder].filter((action) => props.mayTriage || action === 'read' || action === 'unread');
  const rare = props.mayTriage ? offered.filter((action) => RARE.includes(action)) : [];
  return (
    <form class="bulk" method="post" action="/inbox/bulk" novalidate>
      <input type="hidden" name="q" value={props.line} />
      <input type="hidden" name="before" value={props.before} />
      <input type="hidden" name="shown" value={props.rows.map(({ id }) => id).join(',')} />
      <div class="bulk-bar">
        <span class="bulk-all">
          <input type="checkbox" id="all" name="all" value="true" />
          <label class="unseen" for="all">
            Select all on this page
          </label>
        </span>
        <QuickFilters line={props.line} isPerson={props.me !== null} />
        {props.matching !== undefined && (
          <p class="bulk-every">
            <input type="checkbox" id="every" name="every" value="true" />
            <label for="every">
              {props.matching === null ? 'All results' : `All ${props.matching.toLocaleString('en')} results`}
            </label>
          </p>
        )}
        <output class="bulk-count" data-count="selected" />
        <div class="bulk-actions" role="group" aria-label="Selected submissions">
          {offered
            .filter((action) => !rare.includes(action))
            .map((action) => (
              <ActionButton action={action} folder={props.folder} />
            ))}
          {(rare.length > 0 || props.mayTriage || props.mayExport) && (
            <Menu class="more" icon="ellipsis" text={inboxWords.more} isPlain>
              {rare.map((action) => (
                <ActionButton action={action} folder={props.folder} />
              ))}
              {props.mayExport && EXPORT_FORMATS.map(ExportButton)}
              {props.mayTriage && props.choices.length > 0 && <Assigning {...props} />}
              {props.mayTriage && <Tagging />}
            </Menu>
          )}
        </div>
      </div>
      {props.folder === 'held' && props.mayTriage && (
        <p class="hint">“Not spam” sends the emails and webhook calls on hold. You cannot undo this.</p>
      )}
      {props.children}
    </form>
  );
}

/** Forms that the switcher names; the others are found by typing. */
const FORMS_SHOWN = 12;

interface FormShown {
  name: string;
  identifier: string;
  unread: number;
}

export interface SwitcherProps {
  /** The filter, as it was typed. */
  line: string;
  /** Every form that the person sees, with what is new and unread in it, most first; some of them where there are many. */
  forms: FormShown[];
  /** Whether there are more forms than these. */
  hasMoreForms: boolean;
  /** The count of held submissions in all these forms; null where there are too many forms. */
  held: number | null;
  views: readonly ViewShown[];
  /** People to whom submissions on this page can be assigned; `me` is the id of the reader, null for one who is no person. */
  choices: readonly Choice[];
  me: number | null;
}

/** Submissions are counted up to here: counting all would read all. */
export const COUNTED_MAX = 10_000;

/** Returns a count as it is shown: from the highest that is counted on, with a plus. */
export function countOf(count: number, hasMore = false) {
  const most = Math.min(count, COUNTED_MAX - 1);
  return most.toLocaleString('en') + (most < count || hasMore ? '+' : '');
}

/** Returns the name of the list that a line means: its folder, and its form where that is one. */
export function placeOf(line: string, forms: readonly FormShown[], hasMoreForms: boolean) {
  const folder = folderOf(line);
  const named = formsOf(line, forms);
  const only = named.length === 1 ? onlyForm(line, forms, hasMoreForms) : null;
  if (only === null) return folder === 'new' ? layoutWords.nav.inbox : folderWords[folder];
  return folder === 'new' ? only.name : `${only.name} · ${folderWords[folder]}`;
}

/** Draws the button that opens the switcher where it has no column of its own. */
export function SwitcherButton({ place }: { place: string }) {
  return (
    <button type="button" class="button plain switch" popovertarget="switcher">
      <span dir="auto">{place}</span> <Icon name="chevron-down" />
    </button>
  );
}

/** Draws folders, saved views and forms: a column beside the list, or a sheet over it where there is no room. */
export function Switcher(props: SwitcherProps) {
  const views = viewsOf(props);
  const isView = views.some(({ line }) => line === props.line);
  return (
    <div class="switcher" id="switcher" popover="auto">
      <Folders {...props} isView={isView} />
      {views.length > 0 && <Views line={props.line} views={views} />}
      {(props.forms.length > 1 || props.hasMoreForms) && <Forms {...props} />}
    </div>
  );
}

const ICONS = {
  new: 'inbox',
  all: 'clipboard-list',
  done: 'check',
  held: 'clock',
  spam: 'shield-alert',
  trash: 'trash-2',
} as const satisfies Record<FolderName, string>;

/** Draws the folders, with the forms of the filter kept, and how many submissions are held. */
function Folders(props: SwitcherProps & { isView: boolean }) {
  const { line, held, isView } = props;
  return (
    <nav id="folders" data-fresh aria-label="Folders">
      {FOLDER_NAMES.map((folder) => (
        <a
          href={inboxAddress(inFolder(line, folder))}
          aria-current={!isView && folder === folderOf(line) ? 'page' : undefined}
        >
          <Icon name={ICONS[folder]} /> <span>{folderWords[folder]}</span>
          {folder === 'held' && held !== null && held > 0 && <span class="count">{countOf(held)}</span>}
        </a>
      ))}
    </nav>
  );
}

/** Returns the views of who looks: what is assigned to them and to nobody, and the saved ones. */
function viewsOf({ views, me, choices }: SwitcherProps): Pick<ViewShown, 'name' | 'line'>[] {
  const { mine, unassigned } = viewWords;
  return [
    ...(me === null || choices.length === 0 ? [] : [{ name: mine, line: 'assigned:me' }]),
    ...(choices.length > 1 ? [{ name: unassigned, line: 'is:new assigned:none' }] : []),
    ...views,
  ];
}

/** Draws saved filters as links. */
function Views({ line, views }: { line: string; views: ReturnType<typeof viewsOf> }) {
  return (
    <nav class="views" aria-label={viewWords.nav}>
      <h2>{viewWords.nav}</h2>
      {views.map((view) => (
        <a dir="auto" href={inboxAddress(view.line)} aria-current={view.line === line ? 'page' : undefined}>
          <span>{view.name}</span>
        </a>
      ))}
    </nav>
  );
}

/** Draws forms as ways to narrow the filter down, each with its count of unread ones; those with most come first. */
function Forms({ line, forms, hasMoreForms }: SwitcherProps) {
  const chosen = formsOf(line, forms);
  const others = forms.filter((form) => !chosen.includes(form));
  const some = [...chosen, ...others].slice(0, FORMS_SHOWN);
  const shown = forms.filter((form) => some.includes(form));
  return (
    <nav class="form-list" id="forms" data-fresh aria-label={inboxWords.forms}>
      <h2>{inboxWords.forms}</h2>
      <a href={inboxAddress(inForm(line, null))} aria-current={chosen.length === 0 ? 'page' : undefined}>
        <span>All forms</span>
      </a>
      {shown.map((form) => (
        <a href={inboxAddress(inForm(line, form))} aria-current={chosen.includes(form) ? 'page' : undefined}>
          <span dir="auto">{form.name}</span>
          {form.unread > 0 && (
            <span class="count">
              {countOf(form.unread)} <span>{rowWords.unread}</span>
            </span>
          )}
        </a>
      ))}
      {(hasMoreForms || forms.length > shown.length) && (
        <a class="quiet" href="/go" data-go>
          <Icon name="search" /> <span>Find a form</span>
        </a>
      )}
    </nav>
  );
}
