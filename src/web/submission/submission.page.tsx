import { CALLS, TO_STRANGERS } from '../../deliveries/model/outcome.js';
import { INFECTED_FILES, type SpamPart } from '../../spam/evidence/verdict.js';
import {
  ActionButton,
  ActionForm,
  Button,
  Icon,
  countryName,
  ExternalLink,
  Facts,
  Time,
  Section,
  Confirm,
} from '../parts/index.js';
import { submissionWords } from './words.js';
import { browserNameOf } from '../../people/sessions/browser-name.js';
import { Shell, useFrame } from '../layout/shell.js';
import { rowWords, Assignee, type AssigneeProps, Keys } from '../rows/submission-table.js';
import { inboxAddress, submissionAddress } from '../addresses/folders.js';
import { type EntryShown, Timeline } from './timeline.js';
import { previewOf } from '../../submissions/model/preview.js';
import { pageShown } from '../../submissions/model/page-address.js';
import { Head, Line, type HeadFacts } from './head.js';
import { Notes, Status, Tags, type TriageProps } from './triage.js';
import { Values, type ValuesProps } from './values.js';

/** A delivery that waits for somebody to say that it is no spam. */
interface Withheld {
  kind: keyof typeof submissionWords.kinds;
  recipient: string;
}

/** Draws in one line whether a submission is spam or held, and behind it why, and what "Not spam" sends. */
function VerdictNotice(props: SubmissionPageProps) {
  const { spam, held, spamReason, parts, withheld, mayTriage } = props;
  if (!spam && !held) return <AlwaysAllow {...props} />;
  const isInfected = parts.some(({ name }) => name === INFECTED_FILES);
  const reasons = parts.filter(({ name, points }) => points > 0 || name === INFECTED_FILES).map(({ reason }) => reason);
  const shown = reasons.length > 0 ? reasons : spamReason === null ? [] : [spamReason];
  return (
    <div class="verdict">
      <Icon name="shield-alert" />
      <p>{submissionWords[spam ? 'isSpam' : isInfected ? 'isInfected' : 'isHeld'](withheld.length > 0)}</p>
      {mayTriage && <Release {...props} />}
      <details class="why" open={shown.length === 0 || isInfected}>
        <summary>Why?</summary>
        <ul>
          {shown.map((reason) => (
            <li>{reason}</li>
          ))}
        </ul>
        {mayTriage && <OnRelease {...props} />}
        {isInfected && <p>“Not spam” also unlocks infected files if the person can change the form.</p>}
        <AlwaysAllow {...props} />
      </details>
    </div>
  );
}

/** Names the deliveries that "Not spam" makes. */
function OnRelease({ withheld, isOfClient }: SubmissionPageProps) {
  if (withheld.length === 0) return <p>Nothing is waiting to be sent.</p>;
  const items = withheld.map(({ kind, recipient }) =>
    isOfClient && !TO_STRANGERS.includes(kind) ? 'notice to the team' : `${submissionWords.kinds[kind]} (${recipient})`,
  );
  return <p>“Not spam” will send: {[...new Set(items)].join(', ')}.</p>;
}

/** Draws the button that says that it is no spam, with what that sends. */
function Release({ here, line, withheld }: SubmissionPageProps) {
  const calls = withheld.filter(({ kind }) => CALLS.includes(kind)).length;
  return (
    <ActionForm action={`${here}/marks`} class="buttons">
      <Line line={line} />
      <Button kind="primary" icon="inbox" name="spam" value="false">
        {submissionWords.release(withheld.length - calls, calls)}
      </Button>
    </ActionForm>
  );
}

/** Draws buttons that allow the sender, or the page it was sent from, from now on, which "Not spam" alone does not. */
function AlwaysAllow(props: SubmissionPageProps) {
  const { form, allowable, allowableOrigin: domain } = props;
  return (
    <>
      {domain !== null && (
        <ActionForm action={`/forms/${form.identifier}/spam/origins`} class="buttons">
          <Back {...props} />
          <Button kind="plain" icon="check" name="domain" value={domain}>
            Always allow the site {domain}
          </Button>
        </ActionForm>
      )}
      {allowable.length > 0 && (
        <ActionForm action={`/forms/${form.identifier}/spam/lists/allow`} class="buttons">
          <Back {...props} />
          {allowable.map((entry) => (
            <Button kind="plain" icon="check" name="entry" value={entry}>
              Always allow {entry}
            </Button>
          ))}
        </ActionForm>
      )}
    </>
  );
}

/** Says which submission to come back to. */
function Back({ id, line }: SubmissionPageProps) {
  return (
    <>
      <input type="hidden" name="submission" value={id} />
      <Line line={line} />
    </>
  );
}

export interface SubmissionPageProps extends HeadFacts, AssigneeProps, ValuesProps, TriageProps {
  id: string;
  /** Shows at the next request that this look goes on; null where looks are not recorded. */
  looked: string | null;
  /** When it is erased from the trash; null where it stays. */
  erasedAt: Date | null;
  spamReason: string | null;
  origin: string | null;
  referer: string | null;
  userAgent: string | null;
  address: string | null;
  /** Two letters; null when the proxy does not say. */
  country: string | null;
  /** The subject that its page gives to the mails about it; null when it gives none. */
  subject: string | null;
  /** Why it is clean, held or spam. */
  parts: SpamPart[];
  /** The deliveries that are made when somebody says that it is no spam. */
  withheld: Withheld[];
  /** Entries that would let its sender through; empty without permission to choose. */
  allowable: string[];
  /** The domain of its page, which the form does not allow; null when it does, or cannot. */
  allowableOrigin: string | null;
  /** Activity, oldest first. */
  timeline: EntryShown[];
  /** Ids of what came once more, and how many seconds later that was; oldest first. */
  repeats: { id: string; seconds: number }[];
  /** Whom it waits for, and why they may never answer; null where it waits for nobody. */
  waiting: { email: string; problem: string | null } | null;
  mayErase: boolean;
}

/** Draws a submission: its values and files, its source, and its deliveries. */
export function SubmissionPage(props: SubmissionPageProps) {
  const { seenAs } = useFrame();
  const { form, id, answers, line } = props;
  const { from } = previewOf(answers, form.previewFields);
  const title = from === '' ? rowWords.noValues : from;
  return (
    <Shell title={title} section="inbox">
      <article
        id="submission"
        class="page"
        tabindex={-1}
        data-look={form.identifier}
        data-from={submissionAddress(form.identifier, id, line)}
        data-looked={props.looked ?? undefined}
        data-presence={seenAs === null ? `${form.identifier}/${id}` : undefined}
        data-unread={props.read ? undefined : ''}
        data-list={line === null ? undefined : inboxAddress(line)}
      >
        <Head {...props} title={title} />
        <div id="folder" data-fresh>
          {props.trash && <InTrash {...props} />}
          <VerdictNotice {...props} />
          <Waiting {...props} />
          <Repeats {...props} />
        </div>
        <div class="columns">
          <div>
            <Values {...props} />
            <Notes {...props} />
          </div>
          <div class="sections aside">
            <Assignee {...props} />
            <Status {...props} />
            <Tags {...props} />
            <Timeline {...props} entries={props.timeline} />
            <Origin {...props} />
          </div>
        </div>
      </article>
      <Keys />
    </Shell>
  );
}

/** Says that it is in the trash, and offers to erase it for good. */
function InTrash({ mayErase, erasedAt, files, here }: SubmissionPageProps) {
  return (
    <div class="verdict">
      <Icon name="trash-2" />
      <p>
        In the trash.{' '}
        {erasedAt !== null && (
          <>
            It will be erased after <Time at={erasedAt} />.
          </>
        )}
      </p>
      {mayErase && (
        <Confirm
          action={`${here}/erase`}
          label="Erase forever"
          question={
            files.length === 0
              ? 'This erases the submission. You cannot undo it.'
              : 'This erases the submission and its files. You cannot undo it.'
          }
          go="Erase"
          icon="trash-2"
        />
      )}
    </div>
  );
}

function Origin(props: SubmissionPageProps) {
  const { origin, referer, userAgent, address, country, subject } = props;
  const known = [
    ['Page', pageShown({ origin, referer })],
    ['Browser', userAgent && browserNameOf(userAgent, userAgent)],
    ['IP address', address],
    ...(country === null ? [] : [['Country', countryName(country)] as const]),
    ...(subject === null ? [] : [['Subject', subject] as const]),
  ] as const;
  return (
    <Section title="Source">
      <Facts
        facts={known.map(([label, text]) => [
          label,
          text === null ? <span class="quiet">Unknown</span> : <ExternalLink href={text} />,
        ])}
      />
    </Section>
  );
}

/** Says that a submission was sent twice, and offers to make one of its own of each. */
function Repeats({ repeats, mayTriage, here }: SubmissionPageProps) {
  return (
    <>
      {repeats.map(({ id, seconds }) => (
        <div class="verdict">
          <Icon name="copy" />
          <p>
            Sent twice: the same came again{' '}
            {seconds < 1 ? 'at once' : seconds === 1 ? 'a second later' : `${seconds} seconds later`}, as after a double
            click. It counts once and notifies once.
          </p>
          {mayTriage && (
            <ActionButton action={`${here}/repeats/${id}`} class="buttons" icon="plus" kind="plain">
              Make it its own submission
            </ActionButton>
          )}
        </div>
      ))}
    </>
  );
}

/** Says that a submission waits for its visitor, and offers to send what it causes anyway. */
function Waiting({ waiting, mayTriage, isOfClient, here }: SubmissionPageProps) {
  const { waiting: said } = submissionWords;
  if (waiting === null) return null;
  const { email, problem } = waiting;
  return (
    <div class="verdict">
      <Icon name="clock" />
      <p>
        <bdi>Waiting for {email} to confirm. Nobody is notified until then.</bdi>
        {problem !== null && ` ${said.failed(isOfClient ? null : problem)}`}
      </p>
      {mayTriage && (
        <ActionButton
          action={`${here}/confirm`}
          class="buttons"
          kind={problem === null ? 'plain' : 'primary'}
          icon="send"
        >
          Send anyway
        </ActionButton>
      )}
    </div>
  );
}
