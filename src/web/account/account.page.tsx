import { type FieldProblem, formatUuid } from '../../platform/index.js';
import { totpAddress } from '../../people/credentials/credential.js';
import {
  Copyable,
  QrCode,
  Notice,
  Time,
  Section,
  ActionButton,
  ActionForm,
  Actions,
  Button,
  Field,
  LinkButton,
} from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { accountWords, totpWords, ProveEmail, PasskeysLine, type PasskeysSummary } from './passkeys.page.js';
import type { Place } from '../../people/profile/profile.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { browserNameOf } from '../../people/sessions/browser-name.js';
import type { Session } from '../../people/sessions/session.entity.js';
import { layoutWords } from '../layout/words.js';
import { setupWords } from '../sign-in/sign-in.page.js';
import { keyWords } from '../rows/submission-table.js';
import type { Identity } from '../../people/credentials/credential.entity.js';

const ACCOUNT = { href: '/account', label: accountWords.title };

/** Gives an authenticator app its secret, and asks for a code to be sure that it has it. */
export function TotpPage(props: { email: string; secret: string; problems?: FieldProblem[] }) {
  const { email, secret, problems } = props;
  return (
    <Page title={totpWords.title} section="account" up={ACCOUNT}>
      <p>Scan this QR code with an authenticator app.</p>
      <p>
        <QrCode text={totpAddress(secret, email)} alt="QR code of the secret below" />
      </p>
      <p>Or type this secret into the app:</p>
      <Copyable id="totp-secret" text={secret} />
      <ActionForm action="/account/totp" {...(problems && { problems })} submit="Turn on">
        <input type="hidden" name="secret" value={secret} />
        <Field
          name="code"
          label="Six-digit code from the app"
          autocomplete="one-time-code"
          inputmode="numeric"
          required
        />
      </ActionForm>
    </Page>
  );
}

/** Draws new recovery codes: the only page that ever shows them. */
export function RecoveryCodesPage({ codes }: { codes: string[] }) {
  return (
    <Page title="Your recovery codes" section="account" up={ACCOUNT}>
      <p>Each code lets you sign in once without the app. Store them somewhere safe: we show them only once.</p>
      <Copyable id="recovery-codes" text={codes.join('\n')} />
      <Actions>
        <LinkButton href="/account" kind="primary">
          I have saved them
        </LinkButton>
      </Actions>
    </Page>
  );
}

/**
 * Draws the part of the page about oneself that says whether codes are asked for, and how many recovery codes are left.
 */
function Factors({ isOn, codesLeft }: { isOn: boolean; codesLeft: number }) {
  return (
    <Section title={totpWords.title}>
      <p>
        {isOn
          ? codesLeft === 1
            ? 'On. You enter a code when you sign in. One recovery code is left.'
            : `On. You enter a code when you sign in. ${codesLeft} recovery codes are left.`
          : 'Off. Add a second step for stronger protection.'}
      </p>
      {isOn ? (
        <Actions>
          <form method="post" action="/account/totp/codes">
            <Button kind="plain">Create new recovery codes</Button>
          </form>
          <form method="post" action="/account/totp/remove">
            <Button kind="danger">Turn off two-step verification</Button>
          </form>
        </Actions>
      ) : (
        <Actions>
          <LinkButton href="/account/totp">Turn on two-step verification</LinkButton>
        </Actions>
      )}
    </Section>
  );
}

const PATH = '/account/time-zone';
/** Field of the time zone, as the API names it. */
export const ZONE_FIELD = 'settings.time_zone';

/**
 * Draws the choice of the time zone.
 * @param props with `ofBrowser`, the zone of the browser, which is offered by itself where it is another
 */
function ZoneChoice(props: { zone: string; ofBrowser: string | null; problems: FieldProblem[] }) {
  const { zone, ofBrowser } = props;
  const problems = props.problems.filter(({ field }) => field === ZONE_FIELD);
  return (
    <Section id="zone" title="Time zone">
      <ActionForm action={PATH} problems={problems} submit="Save time zone" kind="plain">
        <Field
          name={ZONE_FIELD}
          label="Time zone for dates and times"
          hint="For example Europe/Berlin."
          value={zone}
          maxlength={64}
          autocomplete="off"
          required
        />
      </ActionForm>
      {ofBrowser !== null && ofBrowser !== zone && (
        <ActionButton action={PATH} kind="plain" name={ZONE_FIELD} value={ofBrowser}>
          Use this browser’s time zone, {ofBrowser}
        </ActionButton>
      )}
    </Section>
  );
}

/** Draws the page about oneself: the places where one acts, the sessions, second factor and password. */
export function AccountPage(props: {
  signedIn: SignedIn;
  places: Place[];
  sessions: Session[];
  codesLeft: number;
  passkeys: PasskeysSummary;
  identities: IdentitiesSummary;
  /** Time zone of the browser; null when it has not told. */
  browserZone: string | null;
  /** Whether the former password is not asked for. */
  mayReplacePassword: boolean;
  /** The time zone as it was typed, where it cannot be taken. */
  zoneTyped?: string;
  problems?: FieldProblem[];
}) {
  const { signedIn, places, sessions, codesLeft, mayReplacePassword, problems = [] } = props;
  const ofPassword = problems.filter(({ field }) => field !== ZONE_FIELD);
  const hasPassword = signedIn.person.passwordHash !== null;
  return (
    <Page title={accountWords.title} section="account">
      <p>
        {signedIn.person.name}, {signedIn.person.email}
        <br />
        <a href="/account/email">Change email address</a>
      </p>
      {signedIn.person.verifiedAt === null && (
        <Notice kind="warn">
          <p>
            Your email address is not verified yet. Until you verify it, we send no test emails and no digests to it.
          </p>
          <ProveEmail />
        </Notice>
      )}
      <div class="settings">
        <Places places={places} current={signedIn.membership?.id ?? null} />
        <Sessions sessions={sessions} current={signedIn.session} />
        <PasskeysLine {...props.passkeys} hasPassword={hasPassword} />
        <Factors isOn={signedIn.person.hasSecondFactor} codesLeft={codesLeft} />
        <Identities {...props.identities} />
        <ZoneChoice
          zone={props.zoneTyped ?? signedIn.person.timeZone}
          ofBrowser={props.browserZone}
          problems={problems}
        />
        <KeysSwitch isOff={signedIn.person.keysOff} />
        <Section title={hasPassword ? 'Password' : accountWords.setPassword}>
          <ActionForm
            action="/account/password"
            problems={ofPassword}
            submit={hasPassword ? 'Change password' : accountWords.setPassword}
          >
            <input type="hidden" name="username" value={signedIn.person.email} autocomplete="username" />
            {hasPassword && mayReplacePassword && (
              <p>You confirmed who you are a moment ago, so you can skip the current password.</p>
            )}
            {hasPassword && !mayReplacePassword && (
              <Field name="current" label="Current password" type="password" autocomplete="current-password" required />
            )}
            <Field
              name="password"
              label="New password"
              hint={setupWords.passwordHint}
              type="password"
              autocomplete="new-password"
              required
            />
          </ActionForm>
        </Section>
      </div>
    </Page>
  );
}

function Places({ places, current }: { places: Place[]; current: number | null }) {
  return (
    <Section title={layoutWords.places}>
      {places.length === 0 && <Notice kind="warn">You have no workspace yet. Ask an owner to invite you.</Notice>}
      <ul class="rows">
        {places.map(({ membership, name }) => (
          <li>
            <p>
              <strong>{name}</strong>
              <br />
              <span class="hint">
                {membership.role === null ? 'Client' : accountWords.roles[membership.role]}
                {membership.id === current && places.length > 1 && ' · current'}
              </span>
            </p>
            {membership.id !== current && (
              <form method="post" action="/account/switch">
                <Button kind="plain" name="membership" value={String(membership.id)}>
                  Switch to this one
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Sessions({ sessions, current }: { sessions: Session[]; current: Session }) {
  return (
    <Section title="Active sessions">
      <ul class="rows">
        {sessions.map((session) => (
          <li>
            <p>
              <strong>{browserNameOf(session.userAgent)}</strong>
              {session.id.equals(current.id) && ' · this browser'}
              <br />
              <span class="hint">
                {accountWords.ways[session.way]} · IP address {session.address} · Last seen{' '}
                <Time at={session.lastSeenAt} />
              </span>
            </p>
            {!session.id.equals(current.id) && (
              <form method="post" action="/account/sessions/end">
                <Button kind="plain" name="session" value={formatUuid(session.id)}>
                  End session
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <form method="post" action="/account/sessions/end-others">
          <Button kind="plain">Sign out on all other devices</Button>
        </form>
      )}
    </Section>
  );
}

/** Draws the switch of the keys. */
function KeysSwitch({ isOff }: { isOff: boolean }) {
  return (
    <Section id="keys" title={keyWords.title}>
      <p>{isOff ? 'Keyboard shortcuts are off. Only ? still works.' : 'Press ? in the inbox to see all shortcuts.'}</p>
      <form method="post" action="/account/keys">
        <Button kind="plain" name="keys" value={String(isOff)}>
          {isOff ? keyWords.switchOn : keyWords.switchOff}
        </Button>
      </form>
    </Section>
  );
}

/** Identities of a person on the account page. */
interface IdentitiesSummary {
  identities: Identity[];
  /** Name of the provider; null without one. */
  providerName: string | null;
}

/** Shows what a person is known by at the provider; nothing where there is neither. */
function Identities({ identities, providerName }: IdentitiesSummary) {
  if (providerName === null && identities.length === 0) return null;
  return (
    <Section title="Linked identities">
      {identities.length === 0 && <p>No identity linked yet.</p>}
      {identities.map(({ id, issuer, email, createdAt }) => (
        <form method="post" action="/account/identities/remove">
          <p>
            <strong>{email ?? 'No email address'}</strong>
            <br />
            <span class="hint">
              {issuer} · Linked <Time at={createdAt} />
            </span>
          </p>
          <Button kind="plain" name="identity" value={formatUuid(id)}>
            Unlink
          </Button>
        </form>
      ))}
      {providerName !== null && (
        <form method="post" action="/sign-in/oidc/link">
          <Button kind="plain">Link {providerName}</Button>
        </form>
      )}
    </Section>
  );
}
