import type { ComponentChildren } from 'preact';
import { Button } from '../parts/controls.js';
import { Menu } from '../parts/menu.js';
import type { IconName } from '../parts/icon.js';
import { inboxWords } from './words.js';
import { exportWords } from '../jobs/words.js';
import { EXPORT_FORMATS } from '../jobs/exports.js';
import { optionsOf, type Choice } from '../rows/assignee.js';
import type { FolderName } from '../addresses/folders.js';
import type { InboxRow } from '../rows/submission-table.js';
import { QuickFilters } from './narrowing.js';

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
        <select name="assignee" aria-label={inboxWords.assignLabel}>
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
function ActionButton(action: keyof typeof ACTIONS) {
  const [name, value, icon] = ACTIONS[action];
  return (
    <Button kind="plain" icon={icon} name={name} value={String(value)}>
      {inboxWords.actions[action]}
    </Button>
  );
}

/** Draws the button that exports what is selected. */
function ExportButton(format: (typeof EXPORT_FORMATS)[number]) {
  return (
    <Button kind="plain" icon="download" name="export" value={format}>
      {inboxWords.exportSelected(exportWords.formats[format])}
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
  const offered = OFFERED[props.folder].filter(
    (action) => props.mayTriage || action === 'read' || action === 'unread',
  );
  const rare = props.mayTriage ? offered.filter((action) => RARE.includes(action)) : [];
  return (
    <form class="bulk" method="post" action="/inbox/bulk">
      <input type="hidden" name="q" value={props.line} />
      <input type="hidden" name="before" value={props.before} />
      <input type="hidden" name="shown" value={props.rows.map(({ id }) => id).join(',')} />
      <div class="bulk-bar">
        <span class="bulk-all">
          <input type="checkbox" id="all" name="all" value="true" />
          <label class="unseen" for="all">
            {inboxWords.selectAll}
          </label>
        </span>
        <QuickFilters line={props.line} isPerson={props.me !== null} />
        <output class="bulk-count" data-count={inboxWords.selected} />
        <div class="bulk-actions" role="group" aria-label={inboxWords.bulk}>
          {offered.filter((action) => !rare.includes(action)).map(ActionButton)}
          {(rare.length > 0 || props.mayTriage || props.mayExport) && (
            <Menu class="more" icon="ellipsis" text={inboxWords.more} isPlain>
              {rare.map(ActionButton)}
              {props.mayExport && EXPORT_FORMATS.map(ExportButton)}
              {props.mayTriage && props.choices.length > 0 && <Assigning {...props} />}
              {props.mayTriage && <Tagging />}
            </Menu>
          )}
        </div>
      </div>
      {props.folder === 'held' && props.mayTriage && <p class="hint">{inboxWords.heldHint}</p>}
      {props.matching !== undefined && (
        <p class="bulk-every">
          <input type="checkbox" id="every" name="every" value="true" />
          <label for="every">{inboxWords.selectEvery(props.matching)}</label>
        </p>
      )}
      {props.children}
    </form>
  );
}
