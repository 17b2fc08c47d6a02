import type { ComponentChildren } from 'preact';
import type { DestinationPreview } from '../../destinations/destination-trials.js';
import type { Message } from '../../mail/parts/message.js';
import { type FieldProblem, DomainError, NotFoundError } from '../../platform/index.js';
import { fieldLabel } from '../../forms/model/field.js';
import { Notice, Icon, sentence, Button } from '../parts/index.js';
import { assetUrl } from '../assets/assets.js';
import { statusOf } from '../../platform/http/index.js';
import { framed, type PageAnswer } from '../kit/index.js';

/** Words of the previews beside the settings of a form. */
export const previewWords = {
  show: 'Update preview',
  titles: { mail: 'Preview this email', thanks: 'Preview this page' },
  frames: { mail: 'Email', thanks: 'Thank-you page' },
  prove: 'Send verification email',
} as const;

/** Result of a test; `answer` is that of the mail server. */
export interface TestShown {
  to: string;
  verdict: string;
  outcome: string;
  answer: string | null;
}

/** Draws a mail with its head and as plain text; before it, what became of a test. */
export function MailFramePage(props: { mail: DestinationPreview; test: TestShown | null }) {
  const { mail, test } = props;
  const { from, replyTo, subject, html, text } = mail.message;
  const to = mail.to.length > 0 ? mail.to : mail.recipients;
  return (
    <Framed title={subject}>
      {test && <TestNotice {...test} />}
      {!mail.isOn && (
        <Notice kind="warn">
          <p>This email is turned off and not sent.</p>
        </Notice>
      )}
      <dl class="envelope">
        <Line label="Subject" text={subject} />
        <Line label="From" text={textOf(from)} />
        <Line label="To" text={to.join(', ') || 'Nobody: no address is known'} />
        {mail.cc.length > 0 && <Line label="Cc" text={mail.cc.join(', ')} />}
        {mail.bcc.length > 0 && <Line label="Bcc" text={mail.bcc.join(', ')} />}
        {replyTo && <Line label="Reply to" text={textOf(replyTo)} />}
      </dl>
      <p class="hint">{mail.submissionId ? 'Shown with the newest submission.' : 'Shown with sample data.'}</p>
      <iframe title="Email" sandbox="" srcdoc={html} />
      <details>
        <summary>Plain text</summary>
        <pre dir="auto">{text}</pre>
      </details>
    </Framed>
  );
}

/** Says that the mail is on its way which shows whose an address is. */
export function ProofFramePage({ message }: { message: string }) {
  return (
    <Framed title={message}>
      <Notice kind="good">
        <p>{message}</p>
      </Notice>
    </Framed>
  );
}

/** Says why there is nothing to show, and what has to be mended. */
function RefusalFramePage(props: {
  message: string;
  problems: FieldProblem[];
  labelOf?: ((field: string) => string) | undefined;
}) {
  const { message, problems, labelOf = fieldLabel } = props;
  return (
    <Framed title={message}>
      <Notice kind="bad">
        <p>{message}</p>
        {problems.length > 0 && (
          <ul>
            {problems.map(({ field, message: problem }) => (
              <li>
                {labelOf(field)}: {sentence(problem, field)}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </Framed>
  );
}

function TestNotice({ to, verdict, outcome, answer }: TestShown) {
  if (outcome === 'written') {
    return (
      <Notice kind="warn">
        <p>There is no mail server, so the test was saved to a file in the service’s data folder.</p>
      </Notice>
    );
  }
  const isSent = verdict === 'delivered';
  return (
    <Notice kind={isSent ? 'good' : 'bad'}>
      <p>{isSent ? `Sent to ${to}. The mail server answered:` : 'Not sent. The mail server answered:'}</p>
      <p>
        <code dir="auto">{answer ?? 'No reason given'}</code>
      </p>
    </Notice>
  );
}

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}

function textOf({ name, address }: Message['from']) {
  return name === '' ? address : `${name} <${address}>`;
}

/** Draws a document for a frame of one of our pages. */
function Framed({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href={assetUrl('web.css')} />
      </head>
      <body class="framed">{children}</body>
    </html>
  );
}

/** Says where visitors go on to in place of our page. */
export function RedirectFramePage({ url }: { url: string }) {
  return (
    <Framed title={previewWords.frames.thanks}>
      <Notice kind="good">
        <p>Visitors are redirected and do not see our thank-you page:</p>
        <p>
          <code>{url}</code>
        </p>
      </Notice>
    </Framed>
  );
}

/**
 * Answers in a frame, also when that is refused: a page of errors would not be shown there.
 * @param labelOf names a field as its page does; absent: by its path
 * @throws NotFoundError, and what is no error of the product
 */
export async function answerInFrame(
  answer: () => Promise<PageAnswer>,
  labelOf?: (field: string) => string,
): Promise<PageAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof NotFoundError) throw error;
    const { fields: problems } = error;
    const message = problems.length > 0 ? 'Fix these fields to see the preview:' : error.message;
    return framed(RefusalFramePage({ message, problems, labelOf }), statusOf(error));
  }
}

type Previewed = 'mail' | 'thanks';

const PROOF = '/account/email/framed-proof';

/**
 * Draws a frame that shows a mail, with buttons that show there what is typed at the moment, and send a test.
 * @param props with the address of the page, and whether it is known that the person's address is theirs, which a test needs
 */
export function MailPreview({ here, isProven }: { here: string; isProven: boolean }) {
  const [path = ''] = here.split('?');
  const at = `${path}/preview`;
  return (
    <Preview
      of="mail"
      hint={isProven ? 'Tests go only to you.' : 'Tests go only to you, once your address is verified.'}
    >
      <Button kind="plain" icon="eye" action={at} frame={frameOf('mail')}>
        {previewWords.show}
      </Button>
      <Button {...{ kind: 'plain', icon: 'send', action: isProven ? `${at}/tests` : PROOF }} frame={frameOf('mail')}>
        {isProven ? 'Send me a test' : previewWords.prove}
      </Button>
    </Preview>
  );
}

/** Draws a frame that shows the page after sending, with a button that shows there what is typed. */
export function ThanksPreview({ identifier }: { identifier: string }) {
  const address = `/forms/${identifier}/thanks`;
  return (
    <Preview of="thanks" address={address}>
      <Button kind="plain" icon="eye" action={address} frame={frameOf('thanks')}>
        {previewWords.show}
      </Button>
    </Preview>
  );
}

/** Draws a fold in the form of the settings. Its buttons fill the frame, so that nothing typed is lost. */
function Preview(props: {
  of: Previewed;
  /** First address of the frame; absent for one that is empty first. */
  address?: string;
  hint?: string;
  /** Buttons; the first shows what is typed. */
  children: ComponentChildren;
}) {
  return (
    <details class="folded preview" data-live>
      <summary>
        <Icon name="chevron-right" /> {previewWords.titles[props.of]}
      </summary>
      <p class="hint">Preview of your unsaved changes. {props.hint}</p>
      <div class="actions">{props.children}</div>
      <div class="frames">
        <iframe name={frameOf(props.of)} title={previewWords.frames[props.of]} src={props.address} loading="lazy" />
      </div>
    </details>
  );
}

function frameOf(of: Previewed) {
  return `preview-${of}`;
}
