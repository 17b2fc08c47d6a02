import { browserNameOf } from '../../sessions/browser-name.js';
import { Confirm } from '../parts/confirm.js';
import { Icon } from '../parts/icon.js';
import { countryName } from '../parts/country.js';
import { ExternalLink } from '../parts/content.js';
import { Shell, useFrame } from '../layout/shell.js';
import { rowWords } from '../rows/words.js';
import { submissionWords } from './words.js';
import { inboxAddress, submissionAddress } from '../addresses/folders.js';
import { Time } from '../parts/time.js';
import type { EntryShown } from './entry-shown.js';
import { Timeline } from './timeline.js';
import { pageShown } from '../../submissions/model/page-address.js';
import { previewOf } from '../../submissions/model/preview.js';
import { Assignee, type AssigneeProps } from '../rows/assignee.js';
import { Keys } from '../rows/submission-table.js';
import { Head, type HeadFacts } from './head.js';
import type { SpamPart } from '../../spam/evidence/verdict.js';
import { VerdictNotice, type Withheld } from './verdict.js';
import { Notes, Tags, type TriageProps } from './triage.js';
import { Values, type ValuesProps } from './values.js';
import { ActionForm, Button } from '../parts/controls.js';

export interface SubmissionPageProps
  extends
    HeadFacts,
    AssigneeProps,
    ValuesProps,
    RepeatFacts,
    WaitingFacts,
    Omit<TriageProps, 'here'> {
  form: { name: string; identifier: string; previewFields: string | null };
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
  mayErase: boolean;
}

/** Draws a submission: its values and files, its source, and its deliveries. */
export function SubmissionPage(props: SubmissionPageProps) {
  const { seenAs } = useFrame();
  const { form, id, answers, line } = props;
  const here = `/inbox/${form.identifier}/${id}`;
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
        data-presence={seenAs === null ? `${here}/presence` : undefined}
        data-list={line === null ? undefined : inboxAddress(line)}
      >
        <Head {...props} title={title} here={here} />
        <div id="folder" data-fresh>
          {props.trash && <InTrash {...props} here={here} />}
          <VerdictNotice {...props} here={here} />
          <Waiting {...props} here={here} />
          <Repeats {...props} here={here} />
        </div>
        <div class="columns">
          <div>
            <Values {...props} here={here} />
            <Notes {...props} here={here} />
          </div>
          <div class="sections aside">
            <Assignee {...props} here={here} />
            <Tags {...props} here={here} />
            <Timeline {...props} entries={props.timeline} here={here} />
            <Origin {...props} />
          </div>
        </div>
      </article>
      <Keys />
    </Shell>
  );
}

/** Says that it is in the trash, and offers to erase it for good. */
function InTrash({ mayErase, erasedAt, files, here }: SubmissionPageProps & { here: string }) {
  return (
    <div class="verdict">
      <Icon name="trash-2" />
      <p>
        {submissionWords.inTrash}{' '}
        {erasedAt !== null && (
          <>
            {submissionWords.erasedOn} <Time at={erasedAt} />.
          </>
        )}
      </p>
      {mayErase && (
        <Confirm
          action={`${here}/erase`}
          label={submissionWords.erase}
          question={submissionWords.eraseSure(files.length)}
          go={submissionWords.eraseGo}
          icon="trash-2"
        />
      )}
    </div>
  );
}

function Origin(props: SubmissionPageProps) {
  const { origin, referer, userAgent, address, country, subject } = props;
  const known = [
    [submissionWords.page, pageShown({ origin, referer })],
    [submissionWords.browser, userAgent && browserNameOf(userAgent, userAgent)],
    [submissionWords.address, address],
    ...(country === null ? [] : [[submissionWords.country, countryName(country)] as const]),
    ...(subject === null ? [] : [[submissionWords.subject, subject] as const]),
  ] as const;
  return (
    <section>
      <h2>{submissionWords.origin}</h2>
      <dl class="facts">
        {known.map(([label, text]) => (
          <div>
            <dt class="hint">{label}</dt>
            <dd>
              {text === null ? (
                <span class="quiet">{submissionWords.notKept}</span>
              ) : (
                <ExternalLink href={text} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface RepeatFacts {
  /** Ids of what came once more, and how many seconds later that was; oldest first. */
  repeats: { id: string; seconds: number }[];
  mayTriage: boolean;
}

/** Says that a submission was sent twice, and offers to make one of its own of each. */
function Repeats({ repeats, mayTriage, here }: RepeatFacts & { here: string }) {
  const { repeats: said } = submissionWords;
  return (
    <>
      {repeats.map(({ id, seconds }) => (
        <div class="verdict">
          <Icon name="copy" />
          <p>{said.told(seconds)}</p>
          {mayTriage && (
            <ActionForm action={`${here}/repeats/${id}`} class="buttons">
              <Button icon="plus" kind="plain">
                {said.separate}
              </Button>
            </ActionForm>
          )}
        </div>
      ))}
    </>
  );
}

interface WaitingFacts {
  /** Whom it waits for, and why they may never answer; null where it waits for nobody. */
  waiting: { email: string; problem: string | null } | null;
  mayTriage: boolean;
  /** Whether the reader acts for a client, and learns nothing of mail servers. */
  isOfClient: boolean;
}

/** Says that a submission waits for its visitor, and offers to send what it causes anyway. */
function Waiting(props: WaitingFacts & { here: string }) {
  const { waiting: said } = submissionWords;
  const { waiting, mayTriage, isOfClient, here } = props;
  if (waiting === null) return null;
  const { email, problem } = waiting;
  return (
    <div class="verdict">
      <Icon name="clock" />
      <p>
        <bdi>{said.told(email)}</bdi>
        {problem !== null && ` ${said.failed(isOfClient ? null : problem)}`}
      </p>
      {mayTriage && (
        <ActionForm action={`${here}/confirm`} class="buttons">
          <Button kind={problem === null ? 'plain' : 'primary'} icon="send">
            {said.sendAnyway}
          </Button>
        </ActionForm>
      )}
    </div>
  );
}
