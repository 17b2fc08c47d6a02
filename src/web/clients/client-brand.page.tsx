import type { AttemptResult } from '../../deliveries/model/attempt-result.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { LogoField } from '../brand/brand.page.js';
import { Shell } from '../layout/shell.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { clientBrandWords as said } from './words.js';

/** The parts of the page that are saved by themselves. */
export type ClientBrandPart = 'brand' | 'sender' | 'form_defaults' | 'form';

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
  /** Problems of a part; null for none. */
  problems: { part: ClientBrandPart; fields: FieldProblem[] } | null;
  /** How the test that was just made ended. */
  test: { to: string; ended: AttemptResult } | null;
  mayCreate: boolean;
}

/** Draws how a client looks, who sends its mails, and what its new forms begin with. */
export function ClientBrandPage(props: ClientBrandPageProps) {
  const { client, mayCreate } = props;
  const here = `/clients/${client.id}`;
  const part = (name: ClientBrandPart) => partOf(props, name);
  return (
    <Shell title={`${said.title}: ${client.name}`} section="clients">
      <PageHead title={said.title} up={{ href: here, label: client.name }} />
      <p>{said.hint}</p>
      <Look {...{ ...props, here, ...part('brand') }} />
      <Sender {...{ ...props, here, ...part('sender') }} />
      <Defaults {...{ ...props, here, ...part('form_defaults') }} />
      {mayCreate && (
        <section>
          <h2>{said.newForm}</h2>
          <ActionForm action={`${here}/forms`} problems={part('form').problems}>
            <Text {...part('form')} name="form.name" label={said.newFormName} required />
            <Actions>
              <Button kind="plain">{said.createForm}</Button>
            </Actions>
          </ActionForm>
        </section>
      )}
    </Shell>
  );
}

/** A part of the page: contents of its fields, and their problems. */
interface Part {
  typed: ClientBrandTyped;
  problems: FieldProblem[];
}

function partOf({ typed, problems }: ClientBrandPageProps, part: ClientBrandPart): Part {
  return { typed, problems: problems?.part === part ? problems.fields : [] };
}

type PartProps = Omit<ClientBrandPageProps, 'problems'> & Part & { here: string };

function Text({
  typed,
  ...field
}: Part & { name: string; label: string; hint?: string; type?: 'email'; required?: boolean }) {
  return <Field {...field} value={typed[field.name] ?? ''} autocomplete="off" />;
}

function Look({ here, typed, problems, logoPath }: PartProps) {
  const part = { typed, problems };
  return (
    <ActionForm action={`${here}/brand`} problems={problems} upload>
      <Text {...part} name="brand.name" label={said.name} hint={said.nameHint} />
      <LogoField {...{ logoPath, problems }} />
      <Text {...part} name="brand.colour" label={said.colour} hint={said.colourHint} />
      <Text
        {...part}
        name="brand.reply_to"
        label={said.replyTo}
        hint={said.replyToHint}
        type="email"
      />
      <Actions>
        <Button>{said.save}</Button>
      </Actions>
    </ActionForm>
  );
}

function Sender({ here, typed, problems, smtpHost, test }: PartProps) {
  const part = { typed, problems };
  return (
    <section id="sender">
      <h2>{said.sender}</h2>
      <p class="hint">{said.senderHint}</p>
      <ActionForm action={`${here}/sender`} problems={problems}>
        <Text {...part} name="sender.from" label={said.from} hint={said.fromHint} />
        <Text {...part} name="sender.smtp_url" label={said.smtp} hint={said.smtpHint} />
        {smtpHost !== null && (
          <>
            <p>{said.smtpNow(smtpHost)}</p>
            <Check name="remove_smtp" label={said.removeSmtp} />
          </>
        )}
        <Actions>
          <Button>{said.saveSender}</Button>
        </Actions>
      </ActionForm>
      {test && <Tested {...test} />}
      <ActionForm action={`${here}/sender/test`}>
        <p class="hint">{said.testHint}</p>
        <Actions>
          <Button kind="plain" icon="mail">
            {said.test}
          </Button>
        </Actions>
      </ActionForm>
    </section>
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

function Defaults({ here, typed, problems, isVisitorTold }: PartProps) {
  const part = { typed, problems };
  return (
    <section>
      <h2>{said.defaults}</h2>
      <p class="hint">{said.defaultsHint}</p>
      <ActionForm action={`${here}/form-defaults`} problems={problems}>
        <Text {...part} name="form_defaults.redirect_url" label={said.redirectUrl} />
        <Text
          {...part}
          name="form_defaults.notify_owner_emails"
          label={said.ownerEmails}
          hint={said.ownerEmailsHint}
        />
        <Check
          name="form_defaults.notify_submitter"
          label={said.notifySubmitter}
          checked={isVisitorTold}
        />
        <Text {...part} name="form_defaults.bg_color" label={said.bgColor} />
        <Text {...part} name="form_defaults.text_color" label={said.textColor} />
        <Text {...part} name="form_defaults.link_color" label={said.linkColor} />
        <Text
          {...part}
          name="form_defaults.whitelisted_domains"
          label={said.domains}
          hint={said.domainsHint}
        />
        <Actions>
          <Button>{said.saveDefaults}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
