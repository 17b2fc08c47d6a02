import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { Notice } from '../parts/content.js';
import { sentence } from '../parts/controls.js';
import { previewWords } from './words.js';
import type { ComponentChildren } from 'preact';
import { assetUrl } from '../assets/assets.js';

interface Mailbox {
  name: string;
  address: string;
}

/** A mail as it would be sent. */
export interface MailShown {
  isOn: boolean;
  recipients: string[];
  /** Addresses of those who get a copy. */
  cc?: string[];
  bcc?: string[];
  message: {
    from: Mailbox;
    replyTo: Mailbox | null;
    subject: string;
    html: string;
    text: string;
  };
  /** Whether it is about a sample. */
  isSample: boolean;
}

/** Result of a test; `answer` is that of the mail server. */
export interface TestShown {
  to: string;
  verdict: string;
  outcome: string;
  answer: string | null;
}

/** Draws a mail with its head and as plain text; before it, what became of a test. */
export function MailFramePage(props: { mail: MailShown; test: TestShown | null }) {
  const { mail, test } = props;
  const { from, replyTo, subject, html, text } = mail.message;
  const to = mail.recipients.length > 0 ? mail.recipients.join(', ') : previewWords.nobody;
  return (
    <Framed title={subject}>
      {test && <TestNotice {...test} />}
      {!mail.isOn && (
        <Notice kind="warn">
          <p>{previewWords.off}</p>
        </Notice>
      )}
      <dl class="envelope">
        <Line label={previewWords.subject} text={subject} />
        <Line label={previewWords.from} text={textOf(from)} />
        <Line label={previewWords.to} text={to} />
        {mail.cc && mail.cc.length > 0 && (
          <Line label={previewWords.cc} text={mail.cc.join(', ')} />
        )}
        {mail.bcc && mail.bcc.length > 0 && (
          <Line label={previewWords.bcc} text={mail.bcc.join(', ')} />
        )}
        {replyTo && <Line label={previewWords.replyTo} text={textOf(replyTo)} />}
      </dl>
      <p class="hint">{mail.isSample ? previewWords.ofSample : previewWords.ofNewest}</p>
      <iframe title={previewWords.mail} sandbox="" srcdoc={html} />
      <details>
        <summary>{previewWords.text}</summary>
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
export function RefusalFramePage(props: {
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
        <p>{previewWords.written}</p>
      </Notice>
    );
  }
  const isSent = verdict === 'delivered';
  return (
    <Notice kind={isSent ? 'good' : 'bad'}>
      <p>{isSent ? previewWords.sent(to) : previewWords.notSent}</p>
      <p>
        <code dir="auto">{answer ?? previewWords.noAnswer}</code>
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

function textOf({ name, address }: Mailbox): string {
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
        <p>{previewWords.redirect}</p>
        <p>
          <code>{url}</code>
        </p>
      </Notice>
    </Framed>
  );
}
