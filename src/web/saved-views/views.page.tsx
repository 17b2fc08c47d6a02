import { layoutWords } from '../layout/words.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { EVERY, type Every } from '../../saved-views/digest-times.js';
import { Confirm } from '../parts/typed.js';
import { ProveEmail } from '../account/passkeys.page.js';
import { ActionForm, Actions, Button, Check, Field, Select } from '../parts/controls.js';
import { Empty, PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { inboxAddress } from '../addresses/folders.js';

/** Words of saved views. */
export const viewWords = {
  title: 'Views',
  nav: 'Views',
  mine: 'Assigned to me',
  unassigned: 'Unassigned',
  manage: 'Manage views',
  save: 'Save as view',
  saveTitle: 'New view',
  name: 'Name',
  line: 'Filter',
  lineHint:
    'The same words as in the inbox, such as is:unread tag:urgent. Leave it empty for everything except spam and trash.',
  team: 'Share with the team',
  teamHint: 'Everyone in this workspace sees the view, with the submissions they have access to.',
  ofTeam: 'Team',
  own: 'Only you',
  open: 'Open',
  go: 'Save',
  delete: 'Delete',
  deleteSure: (name: string) => `Delete the view “${name}”? Its submissions stay.`,
  deleteGo: 'Delete',
  digest: 'Email digest',
  digestHint: 'At 8:00 in your time zone, if there is something new.',
  every: { '': 'Never', day: 'Daily', week: 'Mondays' },
  digestGo: 'Save',
  notVerified: 'To get email digests, verify your address first.',
  emptyTitle: 'No views yet',
  empty: 'Save a filter to open it from the inbox with one click.',
} as const;

const OPTIONS = ['', ...EVERY].map((value) => ({
  value,
  label: viewWords.every[value as Every | ''],
}));

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
    <Shell title={viewWords.title} section="inbox">
      <PageHead title={viewWords.title} up={{ href: '/inbox', label: layoutWords.nav.inbox }} />
      {rows.length === 0 && (
        <Empty icon="inbox" title={viewWords.emptyTitle}>
          <p>{viewWords.empty}</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <p class="hint">{props.mayBeTold ? viewWords.digestHint : viewWords.notVerified}</p>
      )}
      {rows.length > 0 && !props.mayBeTold && <ProveEmail />}
      {rows.map((row) => (
        <View {...props} row={row} />
      ))}
      <section>
        <h2>{viewWords.saveTitle}</h2>
        <SaveView line="" {...props} typed={typed?.id === null ? typed : null} />
      </section>
    </Shell>
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
          {isTeams ? viewWords.ofTeam : viewWords.own} · <code dir="auto">{line}</code>
        </p>
        {mayBeTold && (
          <ActionForm action={`/views/${id}/digest`} class="filter">
            <Select name="every" label={viewWords.digest} value={row.every} options={OPTIONS} />
            <Button kind="plain">{viewWords.digestGo}</Button>
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
              label={viewWords.delete}
              question={viewWords.deleteSure(name)}
              go={viewWords.deleteGo}
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
    <ActionForm action="/views" problems={given.problems}>
      {isGiven && <input type="hidden" name="view.q" value={line} />}
      <ViewFields {...given} mayShare={mayShare} withLine={!isGiven} />
      <Actions>
        <Button kind="plain">{viewWords.go}</Button>
      </Actions>
    </ActionForm>
  );
}

function ViewFields(props: Omit<ViewTyped, 'id'> & { mayShare: boolean; withLine: boolean }) {
  const { name, line, isTeams, problems, mayShare, withLine } = props;
  return (
    <>
      <Field
        name="view.name"
        label={viewWords.name}
        value={name}
        maxlength={60}
        problems={problems}
      />
      {withLine && (
        <Field
          name="view.q"
          label={viewWords.line}
          hint={viewWords.lineHint}
          value={line}
          maxlength={230}
          autocomplete="off"
          problems={problems}
        />
      )}
      {mayShare && (
        <Check
          name="view.team"
          label={viewWords.team}
          hint={viewWords.teamHint}
          checked={isTeams}
        />
      )}
    </>
  );
}
