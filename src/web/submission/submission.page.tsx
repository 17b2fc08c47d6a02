import type { Marks as MarksShown } from '../../triage/marks/triage.service.js';
import { browserNameOf } from '../../sessions/browser-name.js';
import { Confirm } from '../parts/confirm.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { Icon } from '../parts/icon.js';
import { countryName } from '../parts/country.js';
import { ExternalLink } from '../parts/links.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { inboxAddress, inboxOf, submissionAddress } from '../addresses/folders.js';
import { Timeline, type EntryShown } from './timeline.js';
import { previewOf } from '../../submissions/model/preview.js';
import { Assignee, type AssigneeProps } from '../rows/assignee.js';
import { Keys } from '../rows/keys.js';
import { replyAddress } from './reply.js';
import type { SpamPart } from '../../spam/evidence/verdict.js';
import { AlwaysAllow, VerdictNotice, type Withheld } from './verdict.js';
import { Notes, Tags, type TriageProps } from './triage.js';
import { Values, type ValuesProps } from './values.js';

export interface SubmissionPageProps
  extends MarksShown, AssigneeProps, ValuesProps, Omit<TriageProps, 'here'> {
  frame: Frame;
  form: { name: string; identifier: string; previewFields: string | null };
  id: string;
  /** Names of others who have it open now. */
  others: string[];
  /** Shows at the next request that this look goes on; null where looks are not recorded. */
  looked: string | null;
  /** Addresses of its neighbours in that filter. */
  newer: string | null;
  older: string | null;
  receivedAt: Date;
  spam: boolean;
  spamReason: string | null;
  trash: boolean;
  origin: string | null;
  referer: string | null;
  userAgent: string | null;
  address: string | null;
  /** Two letters; null when the proxy does not say. */
  country: string | null;
  /** Whether what it causes is withheld until somebody has looked at it. */
  held: boolean;
  /** Why it is clean, held or spam. */
  parts: SpamPart[];
  /** The deliveries that are made when somebody says that it is no spam. */
  withheld: Withheld[];
  /** What would let its sender through from now on; empty when that may not be chosen. */
  allowable: string[];
  /** The domain of its page, which the form does not allow; null when it does, or cannot. */
  allowableOrigin: string | null;
  /** What became of it, oldest first. */
  timeline: EntryShown[];
  mayErase: boolean;
}

/** Draws a submission: its values and files, its source, and its deliveries. */
export function SubmissionPage(props: SubmissionPageProps) {
  const { form, id, frame, answers, line } = props;
  const here = `/inbox/${form.identifier}/${id}`;
  const { from } = previewOf(answers, form.previewFields);
  const title = from === '' ? words.inbox.noValues : from;
  return (
    <Shell title={title} frame={frame} section="inbox">
      <article
        id="submission"
        class="page"
        tabindex={-1}
        data-look={form.identifier}
        data-from={submissionAddress(form.identifier, id, line)}
        data-looked={props.looked ?? undefined}
        data-presence={frame.seenAs === null ? `${here}/presence` : undefined}
        data-list={line === null ? undefined : inboxAddress(line)}
      >
        <PageHead title={title} up={upOf(props)}>
          <Reply {...props} />
          <Marks {...props} here={here} />
          {props.mayErase && props.trash && (
            <Confirm
              action={`${here}/erase`}
              label={words.submission.erase}
              question={words.submission.eraseSure(props.files.length)}
              go={words.submission.eraseGo}
              icon="trash-2"
            />
          )}
          <Neighbours {...props} />
        </PageHead>
        <p id="presence" class="presence" role="status" data-fresh>
          {props.others.length > 0 && (
            <>
              <Icon name="eye" /> <bdi>{words.submission.lookingToo(props.others)}</bdi>
            </>
          )}
        </p>
        <div id="folder" data-fresh>
          {props.trash && (
            <Notice kind="warn">
              <p>{words.submission.inTrash}</p>
            </Notice>
          )}
          <VerdictNotice {...props} here={here} />
          <AlwaysAllow {...props} />
        </div>
        <div class="columns">
          <div>
            <Values {...props} here={here} />
            <Notes {...props} here={here} />
          </div>
          <div class="sections">
            <Assignee {...props} here={here} />
            <Tags {...props} here={here} />
            <Timeline entries={props.timeline} mayTriage={props.mayTriage} here={here} />
            <Origin {...props} />
          </div>
        </div>
      </article>
      <Keys frame={frame} />
    </Shell>
  );
}

/** Draws a link that opens the person's mail program with an answer to the visitor. */
function Reply({ form, answers }: SubmissionPageProps) {
  const href = replyAddress(answers, words.submission.replySubject(form.name));
  return (
    href !== null && (
      <LinkButton href={href} kind="primary" icon="reply">
        {words.submission.reply}
      </LinkButton>
    )
  );
}

/** Leads back to the list that it was opened from, else to that of its form. */
function upOf({ line, form }: SubmissionPageProps) {
  return line === null
    ? { href: inboxOf(form.identifier), label: form.name }
    : { href: inboxAddress(line), label: words.inbox.title };
}

/**
 * Draws what can be done with it. The script marks it as read once it was in view for a moment; without
 * script opening the page does, so there is a button for the other way alone.
 */
function Marks(props: SubmissionPageProps & { here: string }) {
  const { submission } = words;
  const { here, line, spam, trash, done, starred, answered } = props;
  const buttons = [
    ['done', done, 'check', done ? submission.notDone : submission.done],
    ['starred', starred, 'star', starred ? submission.unstar : submission.star],
    ['answered', answered, 'mail-check', answered ? submission.notAnswered : submission.answered],
    ['spam', spam, 'shield-alert', spam ? submission.notSpam : submission.spam],
    ['trash', trash, 'trash-2', trash ? submission.restore : submission.trash],
  ] as const;
  return (
    <>
      {props.mayTriage && (
        <div id="marks" data-fresh>
          <ActionForm action={`${here}/marks`} class="buttons">
            {line !== null && <input type="hidden" name="q" value={line} />}
            {buttons.map(([name, isSet, icon, label]) => (
              <Button kind="plain" icon={icon} name={name} value={String(!isSet)}>
                {label}
              </Button>
            ))}
          </ActionForm>
        </div>
      )}
      <form
        method="post"
        action={`${here}/read`}
        data-read-in-view={props.frame.seenAs === null || undefined}
      >
        {line !== null && <input type="hidden" name="q" value={line} />}
        <Button kind="plain" icon="circle-dot" name="read" value="false">
          {submission.unread}
        </Button>
      </form>
    </>
  );
}

function Neighbours({ newer, older, line }: SubmissionPageProps) {
  const { submission } = words;
  if (line === null) return null;
  return (
    <nav class="neighbours" aria-label={submission.around}>
      {newer === null ? (
        <span class="quiet">{submission.newer}</span>
      ) : (
        <a href={newer} rel="prev">
          <Icon name="chevron-left" /> {submission.newer}
        </a>
      )}
      {older === null ? (
        <span class="quiet">{submission.older}</span>
      ) : (
        <a href={older} rel="next">
          {submission.older} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

function Origin({ origin, referer, userAgent, address, country }: SubmissionPageProps) {
  const { submission } = words;
  const known = [
    [submission.page, referer ?? origin],
    [submission.browser, userAgent && browserNameOf(userAgent, userAgent)],
    [submission.address, address],
    ...(country === null ? [] : [[submission.country, countryName(country)] as const]),
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
