import { fieldLabel } from '../../submissions/values/field-label.js';
import { Confirm } from '../layout/confirm.js';
import { ActionForm, Button, LinkButton } from '../layout/controls.js';
import { Notice, PageHead, State } from '../layout/content.js';
import { Icon } from '../layout/icon.js';
import { ExternalLink } from '../layout/links.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';
import { inboxAddress } from './folders.js';
import { previewOf, type Answer } from './preview.js';
import { replyAddress } from './reply.js';

/** One mail or call for a submission, with every try. */
export interface DeliveryShown {
  id: string;
  kind: keyof typeof words.submission.kinds;
  recipient: string;
  state: keyof typeof words.submission.states;
  nextAttemptAt: Date | null;
  attempts: { at: Date; durationMs: number; outcome: string; answer: string | null }[];
}

export interface SubmissionPageProps {
  frame: Frame;
  form: { name: string; identifier: string };
  id: string;
  receivedAt: Date;
  spam: boolean;
  spamReason: string | null;
  trash: boolean;
  answers: Answer[];
  files: { id: string; field: string; name: string; bytes: number }[];
  origin: string | null;
  referer: string | null;
  userAgent: string | null;
  address: string | null;
  deliveries: DeliveryShown[];
  /** What goes out when it is taken back from spam. */
  planned: { kind: keyof typeof words.submission.kinds; recipient: string }[];
  mayTriage: boolean;
  mayErase: boolean;
}

/** Draws a submission: what was sent, where from, and what became of it. */
export function SubmissionPage(props: SubmissionPageProps) {
  const { form, id, frame, answers } = props;
  const here = `/inbox/${form.identifier}/${id}`;
  const { from } = previewOf(answers);
  const title = from === '' ? words.inbox.noValues : from;
  return (
    <Shell title={title} frame={frame} section="inbox">
      <PageHead
        title={title}
        up={{ href: inboxAddress({ form: form.identifier }), label: form.name }}
      >
        <Reply {...props} />
        {props.mayTriage && <Marks here={here} spam={props.spam} trash={props.trash} />}
        {props.mayErase && props.trash && (
          <Confirm
            action={`${here}/erase`}
            label={words.submission.erase}
            question={words.submission.eraseSure(props.files.length)}
            go={words.submission.eraseGo}
            icon="trash-2"
          />
        )}
      </PageHead>
      {props.trash && (
        <Notice kind="warn">
          <p>{words.submission.inTrash}</p>
        </Notice>
      )}
      {props.spam && (
        <Notice kind="warn">
          <p>{words.submission.isSpam}</p>
          {props.spamReason !== null && <p>{props.spamReason}</p>}
          {props.mayTriage && <OnRestore planned={props.planned} />}
        </Notice>
      )}
      <div class="columns">
        <div>
          <Values {...props} here={here} />
        </div>
        <div class="sections">
          <Timeline {...props} here={here} />
          <Origin {...props} />
        </div>
      </div>
    </Shell>
  );
}

/** Opens the person's own mail program; the answer goes from them to the visitor. */
function Reply({ form, answers }: SubmissionPageProps) {
  const href = replyAddress(answers, words.submission.replySubject(form.name));
  return (
    href !== null && (
      <LinkButton href={href} kind="primary" icon="mail">
        {words.submission.reply}
      </LinkButton>
    )
  );
}

/** Says what "Not spam" sends. */
function OnRestore({ planned }: Pick<SubmissionPageProps, 'planned'>) {
  const { submission } = words;
  if (planned.length === 0) return <p>{submission.nothingOnRestore}</p>;
  const items = planned.map(({ kind, recipient }) => `${submission.kinds[kind]} (${recipient})`);
  return <p>{submission.onRestore(items.join(', '))}</p>;
}

function Marks({ here, spam, trash }: { here: string; spam: boolean; trash: boolean }) {
  const { submission } = words;
  return (
    <>
      <ActionForm action={`${here}/marks`}>
        <Button kind="plain" icon="shield-alert" name="spam" value={String(!spam)}>
          {spam ? submission.notSpam : submission.spam}
        </Button>
      </ActionForm>
      <ActionForm action={`${here}/marks`}>
        <Button kind="plain" icon="trash-2" name="trash" value={String(!trash)}>
          {trash ? submission.restore : submission.trash}
        </Button>
      </ActionForm>
    </>
  );
}

function Values({ answers, files, here }: SubmissionPageProps & { here: string }) {
  return (
    <dl class="panel values">
      {answers.map(({ name, text }) => (
        <div>
          <dt title={name}>{fieldLabel(name)}</dt>
          <dd dir="auto">
            <Value text={text} />
          </dd>
        </div>
      ))}
      {files.map((file) => (
        <div>
          <dt title={file.field}>{fieldLabel(file.field)}</dt>
          <dd>
            <a href={`${here}/files/${file.id}`} download>
              <Icon name="paperclip" /> {file.name}
            </a>{' '}
            <span class="hint">{words.submission.size(file.bytes)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text }: { text: string }) {
  if (text === '') return <span class="quiet">–</span>;
  if (/^[^\s@<>()]{1,64}@[^\s@<>()]{1,190}$/.test(text)) {
    return <a href={`mailto:${encodeURIComponent(text).replace('%40', '@')}`}>{text}</a>;
  }
  return /^https?:\/\/\S{1,2000}$/i.test(text) ? <ExternalLink href={text} /> : <>{text}</>;
}

function Timeline(props: SubmissionPageProps & { here: string }) {
  const { submission } = words;
  return (
    <section>
      <h2>{submission.timeline}</h2>
      <ol class="timeline">
        <li>
          <State kind="good">{submission.received}</State>
          <p class="hint">
            <Time at={props.receivedAt} />
          </p>
        </li>
        {props.deliveries.map((delivery) => (
          <DeliveryItem {...delivery} here={props.here} mayTriage={props.mayTriage} />
        ))}
        {props.deliveries.length === 0 && (
          <li>
            <State kind="quiet">{submission.nothingSent}</State>
          </li>
        )}
      </ol>
    </section>
  );
}

const KINDS = { pending: 'quiet', delivering: 'quiet', delivered: 'good', failed: 'bad' } as const;

function DeliveryItem(props: DeliveryShown & { here: string; mayTriage: boolean }) {
  const { submission } = words;
  const { kind, state, recipient, attempts, nextAttemptAt } = props;
  return (
    <li>
      <State kind={KINDS[state]}>{`${submission.kinds[kind]}: ${submission.states[state]}`}</State>
      <p class="hint">{recipient}</p>
      {attempts.map(({ at, durationMs, outcome, answer }) => (
        <p class="hint">
          <Time at={at} />: {answer ?? outcome} ({submission.took(durationMs)})
        </p>
      ))}
      {state === 'pending' && nextAttemptAt !== null && (
        <p class="hint">
          {submission.nextTry} <Time at={nextAttemptAt} />
        </p>
      )}
      {props.mayTriage && state !== 'delivering' && (
        <ActionForm action={`${props.here}/deliveries/${props.id}/attempts`}>
          <Button kind="plain" icon="rotate-ccw">
            {state === 'pending' ? submission.sendNow : submission.sendAgain}
          </Button>
        </ActionForm>
      )}
    </li>
  );
}

function Origin({ origin, referer, userAgent, address }: SubmissionPageProps) {
  const { submission } = words;
  const known = [
    [submission.page, referer ?? origin],
    [submission.browser, userAgent],
    [submission.address, address],
  ] as const;
  return (
    <section>
      <h2>{submission.origin}</h2>
      <dl class="facts">
        {known.map(([label, text]) => (
          <div>
            <dt class="hint">{label}</dt>
            <dd>
              {text === null ? (
                <span class="quiet">{submission.notKept}</span>
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
