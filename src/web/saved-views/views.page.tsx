import { layoutWords } from '../layout/words.js';
import type { FieldProblem } from '../../platform/index.js';
import { type Every } from '../../mail/parts/message.js';
import { Confirm, ActionForm, Button, Check, Field, Select, Empty, Section } from '../parts/index.js';
import { ProveEmail } from '../account/passkeys.page.js';
import { Page } from '../layout/shell.js';
import { inboxAddress } from '../addresses/folders.js';

/** Words of saved views. */
export const viewWords = {
  nav: 'Views',
  mine: 'Assigned to me',
  unassigned: 'Unassigned',
  go: 'Save',
  every: { '': 'Never', day: 'Daily', week: 'Mondays' },
} as const;

/** A view as the pages show it. */
export interface ViewShown {
  id: string;
  name: string;
  line: string;
  isTeams: boolean;
}

/** A view with how often the person is told of it by mail; '' for never. */
interface ViewRow extends ViewShown {
  every: Every | '';
}

/** Input of a form of the page. */
export interface ViewTyped {
  /** The view that it is about; null for a new one. */
  id: string | null;
  name: string;
  line: string;
  isTeams: boolean;
  problems: FieldProblem[];
}

export interface ViewsPageProps {
  rows: ViewRow[];
  /** Whether the address of the person is known to be theirs. */
  mayBeTold: boolean;
  /** Whether the person may change what is the team's. */
  mayShare: boolean;
  typed: ViewTyped | null;
}

/** Draws the views of a person and of the team, each with what can be done with it. */
export function ViewsPage(props: ViewsPageProps) {
  const { rows, typed } = props;
  return (
    <Page title="Views" section="inbox" up={{ href: '/inbox', label: layoutWords.nav.inbox }}>
      {rows.length === 0 && (
        <Empty icon="inbox" title="No views yet">
          <p>Save a filter to open it from the inbox with one click.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <p class="hint">
          {props.mayBeTold
            ? 'At 8:00 in your time zone, if there is something new.'
            : 'To get email digests, verify your address first.'}
        </p>
      )}
      {rows.length > 0 && !props.mayBeTold && <ProveEmail />}
      {rows.map((row) => (
        <View {...props} row={row} />
      ))}
      <Section title="New view">
        <SaveView line="" {...props} typed={typed?.id === null ? typed : null} />
      </Section>
    </Page>
  );
}

function View({ row, mayShare, mayBeTold, typed }: ViewsPageProps & { row: ViewRow }) {
  const { id, name, line, isTeams } = row;
  const mayChange = mayShare || !isTeams;
  const own = typed?.id === id ? typed : { ...row, problems: [] };
  return (
    <section class="panel" id={`view-${id}`}>
      <div class="body view">
        <h2 dir="auto">
          <a href={inboxAddress(line)}>{name}</a>
        </h2>
        <p class="hint">
          {isTeams ? 'Team' : 'Only you'} · <code dir="auto">{line}</code>
        </p>
        {mayBeTold && (
          <ActionForm action={`/views/${id}/digest`} class="filter">
            <Select name="every" label="Email digest" value={row.every} options={viewWords.every} />
            <Button kind="plain">Save</Button>
          </ActionForm>
        )}
        {mayChange && (
          <>
            <ActionForm action={`/views/${id}`} problems={own.problems}>
              <ViewFields {...own} mayShare={mayShare} withLine />
              <Button kind="plain">{viewWords.go}</Button>
            </ActionForm>
            <Confirm
              action={`/views/${id}/delete`}
              label="Delete"
              question={`Delete the view “${name}”? Its submissions stay.`}
              go="Delete"
              icon="trash-2"
            />
          </>
        )}
      </div>
    </section>
  );
}

/** Draws the form that saves a filter. @param props.line the filter; with one there is no field for it */
export function SaveView(props: { line: string; mayShare: boolean; typed?: ViewTyped | null }) {
  const { line, mayShare, typed } = props;
  const given = typed ?? { name: '', line, isTeams: false, problems: [] };
  const isGiven = line !== '';
  return (
    <ActionForm action="/views" problems={given.problems} submit={viewWords.go} kind="plain">
      {isGiven && <input type="hidden" name="view.q" value={line} />}
      <ViewFields {...given} mayShare={mayShare} withLine={!isGiven} />
    </ActionForm>
  );
}

function ViewFields(props: Omit<ViewTyped, 'id'> & { mayShare: boolean; withLine: boolean }) {
  const { name, line, isTeams, mayShare, withLine } = props;
  return (
    <>
      <Field name="view.name" label="Name" value={name} maxlength={60} />
      {withLine && (
        <Field
          name="view.q"
          label="Filter"
          hint="The same words as in the inbox, such as is:unread tag:urgent. Leave it empty for everything except spam and trash."
          value={line}
          maxlength={230}
          autocomplete="off"
        />
      )}
      {mayShare && (
        <Check
          name="view.team"
          label="Share with the team"
          hint="Everyone in this workspace sees the view, with the submissions they have access to."
          checked={isTeams}
        />
      )}
    </>
  );
}
