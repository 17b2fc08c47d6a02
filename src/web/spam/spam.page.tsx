import {
  LevelCard,
  ActionButton,
  ActionForm,
  Field,
  Time,
  Notice,
  State,
  Table,
  Section,
  Confirm,
} from '../parts/index.js';
import { levelOf, SPAM_LEVEL_NAMES } from '../../spam/judge/spam-settings.js';
import type { SpamStatistics } from '../../statistics/spam-statistics.service.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { inboxAddress } from '../addresses/folders.js';
import { spamWords, rejudgeWords, type SpamTyped, Rules } from './spam.js';
import type { Bands } from '../../spam/evidence/verdict.js';
import type { FieldProblem } from '../../platform/index.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import type { ListTexts } from '../../spam/lists/spam-list.entity.js';
import { fieldLabel } from '../../forms/model/field.js';
import type { RejudgePreview } from '../../jobs/queue/rejudge.service.js';
import type { Learnt } from '../../spam/learning/spam-lessons.service.js';
import { Page } from '../layout/shell.js';

/** Choice while the scores are the owner's own; choosing it changes nothing. */
export const CUSTOM_LEVEL = 'custom';

/** Draws the levels to choose from, with what each would have done of late; scores of the owner's own are one more. */
export function Levels(props: {
  /** Name of the choice. */
  name: string;
  chosen: string;
  settings: Bands;
  would: SpamStatistics['levels'];
}) {
  const { name, chosen, would } = props;
  const { heldAt, spamAt } = props.settings;
  return (
    <fieldset class="levels">
      <legend>Spam protection</legend>
      <p class="hint">
        Nothing is rejected: possible spam is held for your decision, and spam goes to the Spam folder.
      </p>
      {SPAM_LEVEL_NAMES.map((level) => (
        <LevelCard
          {...{ name, value: level, isChosen: level === chosen }}
          said={spamWords.levels[level]}
          would={spamWords.would(would[level])}
        />
      ))}
      {levelOf({ heldAt, spamAt }) === null && (
        <LevelCard
          {...{ name, value: CUSTOM_LEVEL, isChosen: chosen === CUSTOM_LEVEL }}
          said={spamWords.levels[CUSTOM_LEVEL]}
          would={`Held from ${String(heldAt)}, spam from ${String(spamAt)}.`}
        />
      )}
    </fieldset>
  );
}

/** Draws how much each signal caught lately, and how often people reversed it. */
function Caught({ signals, totals, lookedTo }: SpamStatistics) {
  const speaking = signals.filter(({ found }) => found > 0);
  return (
    <section>
      <p class="hint">
        {speaking.length === 0
          ? 'No check has found anything yet.'
          : 'A submission counts for each check that found something. Reversed: marked as not spam later.'}
      </p>
      {speaking.length > 0 && (
        <Table
          caption={spamWords.caught}
          head={[spamWords.signal, ...COLUMNS.map((column) => ({ number: spamWords.columns[column] }))]}
        >
          {speaking.map((signal) => (
            <tr>
              <th scope="row">{spamWords.signals[signal.name] ?? fieldLabel(signal.name)}</th>
              {COLUMNS.map((column) => (
                <td class="number" data-label={spamWords.columns[column]}>
                  {signal[column].toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      <p class="hint">
        Total: {totals.held} held and {totals.spam} spam, of which {totals.reversed} reversed. Missed and marked as spam
        by hand: {totals.missed}.
      </p>
      {lookedTo !== null && (
        <p class="hint">
          Only the newest are counted, back to <Time at={lookedTo} />
        </p>
      )}
    </section>
  );
}

const COLUMNS = ['found', 'held', 'spam', 'reversed'] as const;

export interface SpamPageProps {
  form: FormShown;
  typed: SpamTyped;
  /** Block and allow lists as typed: one entry per line. */
  lists: ListTexts;
  problems: FieldProblem[];
  /** Statistics of the last 30 days. */
  caught: SpamStatistics;
  again: RejudgeShown;
  origins: OriginRow[];
}

/** Draws what looks for spam in a form, what it is worth, and what it found; beside the settings of the form. */
export function SpamPage(props: SpamPageProps) {
  const { form, typed, caught, again, origins } = props;
  const problems = props.problems.filter((problem) => !isOfLists(problem) && !isOfRejudge(problem));
  return (
    <FormShell form={form} title={spamWords.tune} tab="settings">
      <p>
        <a href={`/forms/${form.identifier}/settings#spam`}>‹ Spam</a>
      </p>
      <h2>{spamWords.tune}</h2>
      <Rules {...{ form, typed, problems }} />
      <Lists {...props} />
      <Origins identifier={form.identifier} rows={origins} />
      <Rejudge {...again} form={form} problems={props.problems.filter(isOfRejudge)} />
      <Section class="apart" title={spamWords.caught}>
        <Caught {...caught} />
      </Section>
    </FormShell>
  );
}

const isOfLists = ({ field }: FieldProblem) => field.startsWith('lists.');
const isOfRejudge = ({ field }: FieldProblem) => field === 'q';

/** Draws what the form blocks and allows, with a form of its own. */
function Lists({ form, lists, problems: all }: SpamPageProps) {
  const problems = all.filter(isOfLists);
  return (
    <Section class="apart" id="lists" title="Block and allow lists">
      <ActionForm action={`/forms/${form.identifier}/spam/lists`} problems={problems} submit="Save lists" kind="plain">
        <p class="hint">
          One entry per line: words, casino*, ann@example.com, example.com (with its subdomains), *.example or
          203.0.113.0/24. Allowed entries always win.
        </p>
        <Field
          name="lists.block"
          label="Blocked"
          hint="A submission that contains an entry, or comes from such a network, gets the score."
          rows={6}
          value={lists.block}
        />
        <Field
          name="lists.allow"
          label="Always allowed"
          hint="Submissions from these are never held or spam, unless a honeypot is filled in."
          rows={6}
          value={lists.allow}
        />
      </ActionForm>
    </Section>
  );
}

/** Input of a new spam check, with its preview. */
interface RejudgeShown {
  line: string;
  /** Null until somebody asked. */
  preview: RejudgePreview | null;
}

interface RejudgeProps extends RejudgeShown {
  form: { identifier: string };
  problems: FieldProblem[];
}

/** Draws what judges submissions again: first what would move, then the button that does it. */
function Rejudge({ form, line, preview, problems }: RejudgeProps) {
  const action = `/forms/${form.identifier}/spam/rejudge#rejudge`;
  return (
    <Section class="apart" id="rejudge" title="Re-check submissions">
      <ActionForm action={action} problems={problems} submit="Preview changes" kind="plain">
        <p class="hint">
          Applies the current settings, lists and training to submissions this form has already received. Those that
          someone marked, starred, answered or completed stay as they are, and nothing is sent twice.
        </p>
        <Field
          name="q"
          label="Submissions to re-check"
          hint="A filter as in the inbox, such as from:7d or is:held. Leave empty for all, including spam."
          value={line}
        />
      </ActionForm>
      {preview && (
        <Notice kind="warn">
          <Moves {...preview} />
          <ActionButton action={action} class="buttons" fields={{ q: line }} kind="primary" name="go" value="true">
            Re-check submissions
          </ActionButton>
        </Notice>
      )}
    </Section>
  );
}

function Moves({ looked, lookedTo, kept, moves }: RejudgePreview) {
  return (
    <>
      <p>Of the {looked.toLocaleString('en')} newest matching submissions:</p>
      {moves.length === 0 && <p>Nothing would change.</p>}
      {moves.map(({ from, to, count }) => (
        <p>{rejudgeWords.move(count, from, to)}</p>
      ))}
      {kept > 0 && <p>{kept.toLocaleString('en')} stay as they are because someone decided on them.</p>}
      {lookedTo !== null && (
        <p>
          Checked back to <Time at={lookedTo} />. Older submissions are re-checked too.
        </p>
      )}
      {moves.some(({ from, to }) => from !== 'clean' && to === 'clean') && (
        <p>Emails and webhook calls of submissions that become clean are sent, unless they already were.</p>
      )}
    </>
  );
}

/**
 * Draws from how many marks the spam filter has learnt, with the button that makes it forget.
 * @param needed marks of each kind before it says anything
 */
export function SpamLearningPage(props: { learnt: Learnt; needed: number }) {
  const { learnt, needed } = props;
  const { own, byClients } = learnt;
  const isSilent = Math.min(own.spam, own.ham) < needed;
  const isEmpty = own.spam + own.ham + byClients.spam + byClients.ham === 0;
  return (
    <Page title="Spam training" section="spam-learning">
      <p>
        The filter learns words from submissions your team marks as spam, and from those it marks as not spam, stars,
        answers or completes. What your clients mark counts for their own forms only. No text is kept, and erased
        submissions are forgotten.
      </p>
      <p>
        <strong>
          Learned from {own.spam.toLocaleString('en')} spam and {own.ham.toLocaleString('en')} other submissions.
        </strong>
      </p>
      {isSilent ? (
        <p>It starts to judge once it knows {needed} of each.</p>
      ) : (
        <Notice kind="good">It now judges new submissions, and names the words behind each decision.</Notice>
      )}
      {byClients.spam + byClients.ham > 0 && (
        <p>
          Learned from your clients, for their forms: {byClients.spam.toLocaleString('en')} spam and{' '}
          {byClients.ham.toLocaleString('en')} other submissions.
        </p>
      )}
      {!isEmpty && (
        <Confirm
          action="/spam-learning/reset"
          label="Reset training"
          question="The filter starts over and learns from new marks only. Existing marks stay as they are."
          go="Reset training"
        />
      )}
    </Page>
  );
}

/** Where submissions came from lately. */
interface OriginRow {
  /** Such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The entry of the allowed domains that takes it; null when there can be none. */
  domain: string | null;
  isAllowed: boolean;
  submissions: number;
  lastAt: Date;
}

/** Draws where submissions came from, with a button that allows what is refused. */
function Origins({ identifier, rows }: { identifier: string; rows: OriginRow[] }) {
  const { origins } = spamWords;
  const spam = inboxAddress(`${filterPart('form', identifier)} is:spam`);
  return (
    <Section
      class="apart"
      id="origins"
      title={origins.title}
      hint={
        rows.length === 0
          ? 'No submissions in the last 30 days. The sites your form is sent from will appear here.'
          : 'The newest submissions of the last 30 days, including spam, by the site they came from.'
      }
    >
      {rows.length > 0 && (
        <Table
          caption={origins.title}
          head={['Site', 'Status now', { number: origins.count }, { number: origins.last }]}
        >
          {rows.map((row) => (
            <Row identifier={identifier} {...row} />
          ))}
        </Table>
      )}
      {rows.some(({ isAllowed }) => !isAllowed) && (
        <p class="hint">
          Submissions already filed as spam stay there until you mark them as not spam.{' '}
          <a href={spam}>View spam of this form</a>
        </p>
      )}
    </Section>
  );
}

function Row(props: OriginRow & { identifier: string }) {
  const { origin, domain, isAllowed, submissions, lastAt, identifier } = props;
  const { origins } = spamWords;
  return (
    <tr>
      <th scope="row">{origin ?? 'Unknown'}</th>
      <td class="wide">
        {isAllowed ? (
          <State kind="good">Allowed</State>
        ) : (
          <div class="refused">
            <State kind="warn">Filed as spam</State>
            {domain !== null && (
              <ActionButton action={`/forms/${identifier}/spam/origins`} fields={{ domain }} kind="plain" icon="plus">
                Allow {domain}
              </ActionButton>
            )}
          </div>
        )}
      </td>
      <td class="number" data-label={origins.count}>
        {submissions.toLocaleString('en')}
      </td>
      <td class="number quiet" data-label={origins.last}>
        <Time at={lastAt} />
      </td>
    </tr>
  );
}
