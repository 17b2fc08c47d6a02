import type { AttemptResult } from '../../deliveries/model/outcome.js';
import type { FieldProblem } from '../../platform/index.js';
import { LogoField } from '../brand/brand.page.js';
import { ClientShell } from '../form-head/form-head.js';
import { ActionForm, Actions, Button, Check, Field, Notice } from '../parts/index.js';
import { clientWords, hostWords } from './words.js';

/** Contents of the fields, by their names. */
type ClientBrandTyped = Readonly<Record<string, string>>;

export interface ClientBrandPageProps {
  client: { id: number; name: string };
  typed: ClientBrandTyped;
  /** Path of the present logo; null without one. */
  logoPath: string | null;
  /** Host of the client's mail server; null without one. */
  smtpHost: string | null;
  isVisitorTold: boolean;
  problems: FieldProblem[];
  /** How the test that was just made ended. */
  test: { to: string; ended: AttemptResult } | null;
}

/** Draws how a client looks, who sends its mails, and what its new forms begin with, saved at once. */
export function ClientBrandPage(props: ClientBrandPageProps) {
  const { client, typed, problems, logoPath, smtpHost, isVisitorTold, test } = props;
  const here = `/clients/${client.id}`;
  const text = (name: string, label: string, hint?: string) => (
    <Field
      {...{ name, label, hint }}
      value={typed[name] ?? ''}
      type={name === 'brand.reply_to' ? 'email' : undefined}
      autocomplete="off"
    />
  );
  return (
    <ClientShell client={client} tab="look">
      <p>Shown to this client’s visitors and people instead of your branding. Leave a field empty to use yours.</p>
      <ActionForm action={`${here}/brand`} problems={problems} upload submit={clientWords.save}>
        {text(
          'brand.name',
          'Name',
          'Shown instead of yours on pages and in emails. With a name, your logo is not shown.',
        )}
        <LogoField logoPath={logoPath} />
        {text('brand.colour', 'Color', 'For buttons and links, such as #0a7d6b or teal.')}
        {text(
          'brand.reply_to',
          'Reply-to address',
          'Replies to emails to visitors go here, unless the form has its own sender address.',
        )}
        <h2 id="sender">Sender of emails</h2>
        <p class="hint">
          Emails to visitors and recipients of this client’s forms, and to its people, come from this sender.
        </p>
        {text(
          'sender.from',
          'Sender',
          'Such as Forms of Acme <forms@acme.example>. Without a mail server of the client, the address is used only if the operator has allowed its domain; otherwise replies go there.',
        )}
        {text(
          'sender.smtp_url',
          'Mail server (SMTP)',
          'Such as smtps://user:password@mail.acme.example:465. Ports 25, 465, 587 and 2525. We store it encrypted and never show it again.',
        )}
        {smtpHost !== null && (
          <>
            <p>Mail server {smtpHost} is set. Type a new address to replace it.</p>
            <Check name="remove_smtp" label="Remove mail server" />
          </>
        )}
        <h2>Defaults for new forms</h2>
        <p class="hint">
          For forms that this client creates or that you create for it. Forms that exist stay as they are.
        </p>
        {text('form_defaults.redirect_url', 'Redirect URL')}
        {text('form_defaults.notify_owner_emails', 'Recipients', 'Comma-separated. Empty: your default recipient.')}
        <Check name="form_defaults.notify_submitter" label="Email visitors" checked={isVisitorTold} />
        {text('form_defaults.bg_color', 'Background color')}
        {text('form_defaults.text_color', 'Text color')}
        {text('form_defaults.link_color', 'Link color')}
        {text(
          'form_defaults.whitelisted_domains',
          'Allowed domains',
          'Comma-separated, such as acme.example, *.acme.example.',
        )}
      </ActionForm>
      <section class="apart">
        {test && <Tested {...test} />}
        <ActionForm action={`${here}/sender/test`}>
          <p class="hint">Goes to your own address, the way emails of this client go.</p>
          <Actions>
            <Button kind="plain" icon="mail">
              Send test email
            </Button>
          </Actions>
        </ActionForm>
        <p>
          <a href={`${here}/host`}>{hostWords.open}</a>
        </p>
      </section>
    </ClientShell>
  );
}

function Tested({ to, ended }: { to: string; ended: AttemptResult }) {
  const isGood = ended.verdict === 'delivered';
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? `Test sent to ${to}` : `Test to ${to} failed`}: {ended.answer ?? 'The mail server gave no reason.'}
    </Notice>
  );
}
