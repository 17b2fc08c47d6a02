import type { AttemptResult } from '../../deliveries/model/outcome.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { LogoField } from '../brand/brand.page.js';
import { ClientShell } from '../form-head/client-head.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { Notice } from '../parts/content.js';
import { clientBrandWords as said, clientWords, hostWords } from './words.js';

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
      {...{ name, label, hint, problems }}
      value={typed[name] ?? ''}
      type={name === 'brand.reply_to' ? 'email' : undefined}
      autocomplete="off"
    />
  );
  return (
    <ClientShell client={client} tab="look">
      <p>{said.hint}</p>
      <ActionForm action={`${here}/brand`} problems={problems} upload submit={clientWords.save}>
        {text('brand.name', said.name, said.nameHint)}
        <LogoField {...{ logoPath, problems }} />
        {text('brand.colour', said.colour, said.colourHint)}
        {text('brand.reply_to', said.replyTo, said.replyToHint)}
        <h2 id="sender">{said.sender}</h2>
        <p class="hint">{said.senderHint}</p>
        {text('sender.from', said.from, said.fromHint)}
        {text('sender.smtp_url', said.smtp, said.smtpHint)}
        {smtpHost !== null && (
          <>
            <p>{said.smtpNow(smtpHost)}</p>
            <Check name="remove_smtp" label={said.removeSmtp} />
          </>
        )}
        <h2>{said.defaults}</h2>
        <p class="hint">{said.defaultsHint}</p>
        {text('form_defaults.redirect_url', said.redirectUrl)}
        {text('form_defaults.notify_owner_emails', said.ownerEmails, said.ownerEmailsHint)}
        <Check
          name="form_defaults.notify_submitter"
          label={said.notifySubmitter}
          checked={isVisitorTold}
        />
        {text('form_defaults.bg_color', said.bgColor)}
        {text('form_defaults.text_color', said.textColor)}
        {text('form_defaults.link_color', said.linkColor)}
        {text('form_defaults.whitelisted_domains', said.domains, said.domainsHint)}
      </ActionForm>
      <section class="apart">
        {test && <Tested {...test} />}
        <ActionForm action={`${here}/sender/test`}>
          <p class="hint">{said.testHint}</p>
          <Actions>
            <Button kind="plain" icon="mail">
              {said.test}
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
      {isGood ? said.testGood(to) : said.testBad(to)}: {ended.answer ?? said.silent}
    </Notice>
  );
}
