import { type FieldProblem, formatUuid } from '../../platform/index.js';
import {
  PageHead,
  Notice,
  Time,
  Section,
  ActionButton,
  ActionForm,
  Actions,
  Button,
  Field,
  LinkButton,
  Confirm,
  PasskeyButton,
  PasskeyFailed,
  withoutPasskey,
} from '../parts/index.js';
import { Page, Shell, useFrame } from '../layout/shell.js';
import { previewWords } from '../previews/mail-frame.page.js';
import type { Passkey } from '../../people/credentials/credential.entity.js';
import { firstPasskeyWords } from '../sign-in/sign-in.page.js';

/** Words of the page about oneself. */
export const accountWords = {
  title: 'Account and sign-in',
  setPassword: 'Set password',
  roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  ways: {
    password: 'Signed in by password',
    passkey: 'Signed in by passkey',
    link: 'Signed in by email link',
    oidc: 'Signed in by identity provider',
    setup: 'Signed in by setup link',
    invitation: 'Signed in by invitation',
  },
} as const;

/** Words of the page of passkeys. */
const passkeyWords = { title: 'Passkeys', name: 'Name', add: 'Add a passkey' } as const;

/** Words of the page about a person’s email address. */
export const emailWords = {
  title: 'Email address',
  sent: (email: string) => `We have sent a link to ${email}. Open it in this browser within a day.`,
} as const;

/** Words of the page of two-step verification. */
export const totpWords = { title: 'Two-step verification' } as const;

const EMAIL_ADDRESS = '/account/email';
const ACCOUNT = { href: '/account', label: accountWords.title };

/** Asks for the address that a person wants to sign in with. */
export function EmailPage(props: { current: string; email?: string; problems?: FieldProblem[] }) {
  const { current, email, problems = [] } = props;
  return (
    <Page title={emailWords.title} section="account" up={ACCOUNT}>
      <p>You sign in as {current}.</p>
      <ActionForm action={EMAIL_ADDRESS} problems={problems} submit="Send link">
        <Field
          name="email"
          label="New email address"
          hint="We send a link to it. Nothing changes until you open that link."
          type="email"
          autocomplete="email"
          value={email}
          required
        />
      </ActionForm>
    </Page>
  );
}

/** Offers the mail by which a person shows that their address is theirs. */
export function ProveEmail() {
  return (
    <ActionButton action={`${EMAIL_ADDRESS}/proof`} kind="plain" icon="send">
      {previewWords.prove}
    </ActionButton>
  );
}

/** Says that a mail is on its way. */
export function EmailAskedPage(props: { email: string; isKnown?: boolean }) {
  const { email, isKnown = false } = props;
  return (
    <Shell title={emailWords.title} section="account">
      <PageHead title="Check your email" up={ACCOUNT} />
      <p>{emailWords.sent(email)}</p>
      {!isKnown && <p class="hint">We send nothing if that address already has an account.</p>}
    </Shell>
  );
}

/** Takes the link from behind the `#` of its address, or asks to paste it. */
export function ConfirmEmailPage({ problem }: { problem?: string }) {
  return (
    <Page title="Verify your address" section="account" up={ACCOUNT}>
      <p>From then on you sign in with the address that received the email.</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ActionForm action={`${EMAIL_ADDRESS}/confirm`} submit="Verify address">
        <div data-fragment>
          <Field
            name="link"
            label="Link"
            hint="The part after # in the link from the email."
            autocomplete="off"
            required
          />
        </div>
      </ActionForm>
    </Page>
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
    <Section title={passkeyWords.title}>
      <p>
        {arePossible ? (
          count === 0 ? (
            'You have no passkey yet.'
          ) : count === 1 ? (
            'You have one passkey.'
          ) : (
            `You have ${count} passkeys.`
          )
        ) : (
          <OffSaid {...props} />
        )}
      </p>
      {count === 1 && !hasPassword && (
        <Notice kind="warn">
          This is your only way to sign in. Add a second passkey on another device, so that losing one does not lock you
          out.
        </Notice>
      )}
      {(arePossible || count > 0) && (
        <Actions>
          <LinkButton href={PASSKEYS}>{count === 0 ? passkeyWords.add : 'Manage passkeys'}</LinkButton>
        </Actions>
      )}
    </Section>
  );
}

/** Says why there are none to be made; the people of clients read nothing of the settings. */
function OffSaid({ isOurs }: { isOurs: boolean }) {
  const { brand } = useFrame();
  if (!isOurs) return <>Passkeys do not work at this address. Sign in with your password or a link by email.</>;
  return (
    <>
      {brand === null
        ? 'Passkeys are off. Browsers require an https:// address with a host name; set it in BASE_URL.'
        : 'Passkeys are not available here.'}
    </>
  );
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
    <Page title={passkeyWords.title} section="account" up={ACCOUNT}>
      <p>{arePossible ? firstPasskeyWords.what : <OffSaid {...props} />}</p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow passkey={passkey} />
          ))}
        </ul>
      )}
      {arePossible && (
        <Section title={passkeyWords.add}>
          <ActionForm action={PASSKEYS} problems={withoutPasskey(problems)}>
            <Field
              name="name"
              label={passkeyWords.name}
              hint="Where you keep it, such as “Phone”."
              autocomplete="off"
              value={name}
              maxlength={255}
              required
            />
            <p class="hint" data-without-passkeys>
              Passkeys need JavaScript and a browser that supports them.
            </p>
            <Actions>
              <PasskeyButton act="further" options="/api/v1/me/passkeys/options" kind="primary">
                {passkeyWords.add}
              </PasskeyButton>
            </Actions>
            <PasskeyFailed problems={problems} />
          </ActionForm>
        </Section>
      )}
    </Page>
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
          Added <Time at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              Last used <Time at={lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
        </span>
      </p>
      <div class="actions">
        <details class="confirm">
          <summary class="button plain">Rename</summary>
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
              <Button>Save name</Button>
            </ActionForm>
          </div>
        </details>
        <Confirm
          action={`${path}/remove`}
          label="Remove"
          question={`Remove “${name}”? It will no longer work for signing in.`}
          go="Remove passkey"
        />
      </div>
    </li>
  );
}
