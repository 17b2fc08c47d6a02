import type { Form } from '../../forms/model/form.entity.js';
import { layoutWords } from '../layout/words.js';
import type { ComponentChildren } from 'preact';
import { type AnswerLine, lineLabel, type Answer } from '../../submissions/model/preview.js';
import type { Marks } from '../../triage/marks/triage.service.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';
import { ActionForm, Button, LinkButton, Menu, Icon, Time } from '../parts/index.js';
import { submissionWords } from './words.js';

/** Most quoted characters: browsers and mail programs cut links of about 2,000. */
const QUOTED_MAX = 1_200;

/** Returns a `mailto:` link that answers the visitor, with what was sent quoted below. */
function replyAddress(to: string, answers: readonly Answer[], subject: string) {
  const body = `\r\n\r\n${quote(answers)}`;
  // Not URLSearchParams: RFC 6068 knows no plus for a space.
  const fields = [`subject=${encodeURIComponent(subject)}`, `body=${encodeURIComponent(body)}`];
  return `mailto:${encodeURIComponent(to).replace('%40', '@')}?${fields.join('&')}`;
}

function quote(answers: readonly Answer[]) {
  const lines = answers
    .filter(({ text }) => text.trim() !== '')
    // Values may be long: no more of each is split than could be quoted.
    .flatMap(({ name, path, text }) => `${lineLabel(name, path)}: ${text.slice(0, QUOTED_MAX * 2)}`.split(/\r\n?|\n/));
  const letters = Array.from(lines.map((line) => `> ${line}`).join('\r\n')).slice(0, QUOTED_MAX);
  return letters.join('').toWellFormed();
}

/** Facts that all parts of the page of a submission know. */
export interface PartProps {
  form: Pick<Form, 'name' | 'identifier' | 'previewFields' | 'statuses'>;
  /** Address of the submission. */
  here: string;
  /** The filter that it was opened from; null for none. */
  line: string | null;
  mayTriage: boolean;
  /** Whether the reader acts for a client, and learns nothing of addresses of the team and mail servers. */
  isOfClient: boolean;
}

/** The facts about a submission that its head shows. */
export interface HeadFacts extends PartProps, Marks {
  answers: readonly AnswerLine[];
  /** The visitor's address; null for none. */
  visitor: string | null;
  receivedAt: Date;
  /** Names of others who have it open now. */
  others: string[];
  /** Addresses of its neighbours in that filter. */
  newer: string | null;
  older: string | null;
  spam: boolean;
  trash: boolean;
  /** Whether what it causes is withheld until somebody has looked at it. */
  held: boolean;
  mayEdit: boolean;
}

type HeadProps = HeadFacts & { title: string };

/** Carries the filter that a submission was opened from. */
export function Line({ line }: Pick<PartProps, 'line'>) {
  return line === null ? null : <input type="hidden" name="q" value={line} />;
}

/** Draws who wrote, where and when, and what can be done with it. */
export function Head(props: HeadProps) {
  const { form, title, visitor, others, receivedAt } = props;
  const up = upOf(props);
  return (
    <header class="letter-head">
      <div class="letter-bar">
        <a class="up" href={up.href} aria-label={up.label}>
          <Icon name="chevron-left" /> <Icon name="x" /> <span dir="auto">{up.label}</span>
        </a>
        <p id="presence" class="presence" role="status" data-fresh>
          {others.length > 0 && (
            <>
              <Icon name="eye" />{' '}
              <bdi>
                {others.length === 1
                  ? `${others[0] ?? ''} is looking at this`
                  : `${others.slice(0, -1).join(', ')} and ${others.at(-1) ?? ''} are looking at this`}
              </bdi>
            </>
          )}
        </p>
        <Neighbours {...props} />
      </div>
      <h1>{title}</h1>
      <p class="byline">
        {visitor !== null && visitor !== title && (
          <>
            <bdi>{visitor}</bdi> ·{' '}
          </>
        )}
        <a href={inboxOf(form.identifier)}>
          <bdi>{form.name}</bdi>
        </a>{' '}
        · <Time at={receivedAt} />
      </p>
      <div class="actions">
        <Reply {...props} />
        <Changes {...props} />
      </div>
    </header>
  );
}

/** Leads back to the list that it was opened from, else to that of its form. */
function upOf({ line, form }: HeadFacts) {
  return line === null
    ? { href: inboxOf(form.identifier), label: form.name }
    : { href: inboxAddress(line), label: layoutWords.nav.inbox };
}

/** Draws a link that opens the person's mail program with an answer to the visitor. */
function Reply({ form, visitor, answers, spam, trash, held }: HeadFacts) {
  if (visitor === null || trash) return null;
  const href = replyAddress(visitor, answers, `Re: ${form.name}`);
  return (
    <LinkButton href={href} kind={spam || held ? 'plain' : 'primary'} icon="reply">
      Reply
    </LinkButton>
  );
}

/**
 * Draws what can be done with it, the rare part in a menu. The script marks it as read once it was in view for a
 * moment; without script opening the page does, so there is a button for the other way alone.
 */
function Changes(props: HeadProps) {
  const { here, line, spam, trash, done, starred, answered, mayTriage } = props;
  const often = [
    ['done', done, 'check', done ? 'Reopen' : 'Done'],
    ['starred', starred, 'star', starred ? 'Unstar' : 'Star'],
    ['trash', trash, 'trash-2', trash ? 'Restore' : 'Trash'],
  ] as const;
  const rare = [
    ['answered', answered, 'mail-check', answered ? 'Not answered' : 'Answered'],
    ['spam', spam, 'shield-alert', spam ? 'Not spam' : 'Spam'],
  ] as const;
  const button = ([name, isSet, icon, label]: (typeof often | typeof rare)[number]) => (
    <Button kind="plain" icon={icon} name={name} value={String(!isSet)}>
      {label}
    </Button>
  );
  const given = <Line line={line} />;
  return (
    <>
      <div id="marks" data-fresh>
        {mayTriage ? (
          <ActionForm action={`${here}/marks`} class="buttons">
            {given}
            {often.map(button)}
            <More {...props}>{rare.map(button)}</More>
          </ActionForm>
        ) : (
          <div class="buttons">
            <More {...props} />
          </div>
        )}
      </div>
      <form method="post" id="read" action={`${here}/read`}>
        {given}
      </form>
    </>
  );
}

/** Draws the menu of what is rarely done; what it copies takes the script. */
function More({ here, line, mayEdit, children }: HeadProps & { children?: ComponentChildren }) {
  const from = line === null ? '' : `?${new URLSearchParams({ q: line }).toString()}`;
  return (
    <Menu class="more" icon="ellipsis" text="More" isPlain>
      {children}
      {mayEdit && (
        <LinkButton kind="plain" icon="pencil" href={`${here}/edit${from}`}>
          Edit
        </LinkButton>
      )}
      <button type="submit" class="button plain" form="read" name="read" value="false">
        <Icon name="circle-dot" /> <span>Unread</span>
      </button>
      <button type="button" class="button plain" data-copy-link={here} hidden>
        <Icon name="copy" /> <span>Copy link</span>
      </button>
      <button type="button" class="button plain" data-copy-from={`${here}/json`} hidden>
        <Icon name="copy" /> <span>Copy as JSON</span>
      </button>
    </Menu>
  );
}

function Neighbours({ newer, older, line }: HeadFacts) {
  if (line === null) return null;
  return (
    <nav class="neighbours" aria-label="Other submissions">
      {newer === null ? (
        <span class="quiet">{submissionWords.newer}</span>
      ) : (
        <a href={newer} rel="prev">
          <Icon name="chevron-left" />
          <span>{submissionWords.newer}</span>
        </a>
      )}
      {older === null ? (
        <span class="quiet">{submissionWords.older}</span>
      ) : (
        <a href={older} rel="next">
          <span>{submissionWords.older}</span>
          <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}
