import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead, Notice, Time } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell, useFrame } from '../layout/shell.js';
import { accountWords, emailWords, passkeyWords } from './words.js';
import { previewWords } from '../previews/mail-frame.page.js';
import type { Passkey } from '../../people/credentials/credential.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Confirm } from '../parts/typed.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { firstPasskeyWords } from '../sign-in/words.js';

const EMAIL_ADDRESS = '/account/email';
const ACCOUNT = { href: '/account', label: accountWords.title };

/** Asks for the address that a person wants to sign in with. */
export function EmailPage(props: { current: string; email?: string; problems?: FieldProblem[] }) {
  const { current, email, problems = [] } = props;
  return (
    <Shell title={emailWords.title} section="account">
      <PageHead title={emailWords.title} up={ACCOUNT} />
      <p>{emailWords.current(current)}</p>
      <ActionForm action={EMAIL_ADDRESS} problems={problems} submit={emailWords.ask}>
        <Field
          name="email"
          label={emailWords.email}
          hint={emailWords.hint}
          type="email"
          autocomplete="email"
          value={email}
          problems={problems}
          required
        />
      </ActionForm>
    </Shell>
  );
}

/** Offers the mail by which a person shows that their address is theirs. */
export function ProveEmail() {
  return (
    <ActionForm action={`${EMAIL_ADDRESS}/proof`}>
      <Button kind="plain" icon="send">
        {previewWords.prove}
      </Button>
    </ActionForm>
  );
}

/** Says that a mail is on its way. */
export function EmailAskedPage(props: { email: string; isKnown?: boolean }) {
  const { email, isKnown = false } = props;
  return (
    <Shell title={emailWords.title} section="account">
      <PageHead title={emailWords.asked} up={ACCOUNT} />
      <p>{emailWords.sent(email)}</p>
      {!isKnown && <p class="hint">{emailWords.taken}</p>}
    </Shell>
  );
}

/** Takes the link from behind the `#` of its address, or asks to paste it. */
export function ConfirmEmailPage({ problem }: { problem?: string }) {
  return (
    <Shell title={emailWords.confirmTitle} section="account">
      <PageHead title={emailWords.confirmTitle} up={ACCOUNT} />
      <p>{emailWords.why}</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ActionForm action={`${EMAIL_ADDRESS}/confirm`} submit={emailWords.confirm}>
        <div data-fragment>
          <Field
            name="link"
            label={emailWords.link}
            hint={emailWords.linkHint}
            autocomplete="off"
            required
          />
        </div>
      </ActionForm>
    </Shell>
  );
}

const PASSKEYS = '/account/passkeys';

/** The content of the part about passkeys. */
export interface PasskeysSummary {
  /** Whether browsers keep passkeys for the address of this service. */
  arePossible: boolean;
  /** Whether the page is at an address of this service, and not at the host of a client. */
  isOurs: boolean;
  count: number;
}

/** Draws the number of passkeys, on the page about oneself. */
export function PasskeysLine(props: PasskeysSummary & { hasPassword: boolean }) {
  const { arePossible, count, hasPassword } = props;
  return (
    <section>
      <h2>{passkeyWords.title}</h2>
      <p>
        {arePossible ? (
          count === 0 ? (
            passkeyWords.none
          ) : (
            passkeyWords.count(count)
          )
        ) : (
          <OffSaid {...props} />
        )}
      </p>
      {count === 1 && !hasPassword && <Notice kind="warn">{passkeyWords.only}</Notice>}
      {(arePossible || count > 0) && (
        <Actions>
          <LinkButton href={PASSKEYS}>
            {count === 0 ? passkeyWords.add : passkeyWords.manage}
          </LinkButton>
        </Actions>
      )}
    </section>
  );
}

/** Says why there are none to be made; the people of clients read nothing of the settings. */
function OffSaid({ isOurs }: { isOurs: boolean }) {
  const { brand } = useFrame();
  if (!isOurs) return <>{passkeyWords.notHere}</>;
  return <>{brand === null ? passkeyWords.off : passkeyWords.unavailable}</>;
}

/** Draws the passkeys of a person, with buttons that rename, remove and add. */
export function PasskeysPage(props: {
  passkeys: Passkey[];
  arePossible: boolean;
  isOurs: boolean;
  /** Suggested name of the next passkey. */
  name: string;
  problems?: FieldProblem[];
}) {
  const { passkeys, arePossible, name, problems } = props;
  return (
    <Shell title={passkeyWords.title} section="account">
      <PageHead title={passkeyWords.title} up={ACCOUNT} />
      <p>{arePossible ? firstPasskeyWords.what : <OffSaid {...props} />}</p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow passkey={passkey} />
          ))}
        </ul>
      )}
      {arePossible && (
        <section>
          <h2>{passkeyWords.add}</h2>
          <ActionForm action={PASSKEYS} problems={withoutPasskey(problems)}>
            <Field
              name="name"
              label={passkeyWords.name}
              hint={passkeyWords.nameHint}
              autocomplete="off"
              value={name}
              maxlength={255}
              problems={problems}
              required
            />
            <p class="hint" data-without-passkeys>
              {passkeyWords.needsScript}
            </p>
            <Actions>
              <PasskeyButton act="further" options="/api/v1/me/passkeys/options" kind="primary">
                {passkeyWords.add}
              </PasskeyButton>
            </Actions>
            <PasskeyFailed problems={problems} />
          </ActionForm>
        </section>
      )}
    </Shell>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { name, createdAt, lastUsedAt } = passkey;
  const path = `${PASSKEYS}/${formatUuid(passkey.id)}`;
  return (
    <li>
      <p>
        <strong>{name}</strong>
        <br />
        <span class="hint">
          {passkeyWords.created} <Time at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {passkeyWords.used} <Time at={lastUsedAt} />
            </>
          ) : (
            passkeyWords.never
          )}
        </span>
      </p>
      <div class="actions">
        <details class="confirm">
          <summary class="button plain">{passkeyWords.rename}</summary>
          <div class="sheet">
            <ActionForm action={`${path}/rename`}>
              <div class="field">
                <label for={`name-${formatUuid(passkey.id)}`}>{passkeyWords.name}</label>
                <input
                  id={`name-${formatUuid(passkey.id)}`}
                  name="name"
                  value={name}
                  maxlength={255}
                  autocomplete="off"
                  required
                />
              </div>
              <Button>{passkeyWords.save}</Button>
            </ActionForm>
          </div>
        </details>
        <Confirm
          action={`${path}/remove`}
          label={passkeyWords.remove}
          question={passkeyWords.removeQuestion(name)}
          go={passkeyWords.removeGo}
        />
      </div>
    </li>
  );
}
