import type { FieldProblem } from '../../platform/index.js';
import {
  signInWords,
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  LinkButton,
  PasskeyButton,
  PasskeyFailed,
  withoutPasskey,
} from '../parts/index.js';
import { Page, useFrame } from '../layout/shell.js';
import type { OpenInvitation } from '../../people/invitations/invitations.service.js';

/** Words of the page that makes the first owner. */
export const setupWords = {
  passwordHint: 'At least 15 characters. A few unrelated words are easy to remember. Leave out your name.',
} as const;

/** Words of the page that accepts an invitation. */
const invitationWords = {
  title: 'Invitation',
  into: (account: string, inviter: string | null = null) =>
    `${inviter === null ? 'You are invited' : `${inviter} invites you`} to join “${account}” and work with its form submissions.`,
} as const;

/** Words of a first passkey beside a first password. */
export const firstPasskeyWords = {
  what: 'A passkey lets you sign in with your fingerprint, face or PIN. Nobody can guess or phish it, and you need no code.',
} as const;

/** Asks for a passkey, for address and password, or for the address alone to mail a link to. */
export function SignInPage(props: {
  /** Where to go on, a path of this service. */
  next: string;
  /** Whether one may sign in by mail. */
  isLinkOffered: boolean;
  /** Name of the OpenID Connect provider; null without one. */
  providerName: string | null;
  email?: string;
  hasPasskeys: boolean;
  problems?: FieldProblem[];
}) {
  const { next, isLinkOffered, providerName, hasPasskeys, email = '', problems } = props;
  return (
    <Page title="Sign in">
      <ActionForm action="/sign-in" problems={withoutPasskey(problems)}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
          value={email}
          required
        />
        <Field name="password" label={signInWords.password} type="password" autocomplete="current-password" required />
        <Check name="shared" label="This is a shared device" hint="We sign you out after an hour without activity." />
        <Actions>
          <Button>{signInWords.go}</Button>
          {hasPasskeys && (
            <PasskeyButton act="use" options="/api/v1/sign-in/passkey/options" action="/sign-in/passkey" auto>
              Sign in with a passkey
            </PasskeyButton>
          )}
          {providerName !== null && (
            <Button kind="plain" action="/sign-in/oidc">
              Sign in with {providerName}
            </Button>
          )}
          {isLinkOffered && (
            <Button kind="plain" action="/sign-in/link">
              Email me a sign-in link
            </Button>
          )}
        </Actions>
        {hasPasskeys && <PasskeyFailed problems={problems} />}
        {isLinkOffered && (
          <p class="hint">Forgot your password? Sign in with a link in an email, then set a new one.</p>
        )}
      </ActionForm>
    </Page>
  );
}

/** Asks for a code of the authenticator app, or a recovery code, once the password was right. */
export function CodePage(props: { next: string; problems?: FieldProblem[] }) {
  const { next, problems } = props;
  return (
    <Page title="Two-step verification">
      <ActionForm action="/sign-in/code" {...(problems && { problems })} submit={signInWords.go}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label="Code"
          hint="Enter the code from your authenticator app, or a recovery code."
          autocomplete="one-time-code"
          autofocus
          required
        />
      </ActionForm>
    </Page>
  );
}

/**
 * Takes the code of a sign-in mail where it was asked for. What the link of the mail has behind `#` goes
 * into the same field.
 */
export function LinkPage(props: { email: string; problems?: FieldProblem[] }) {
  const { email, problems } = props;
  return (
    <Page title="Check your email">
      <p>
        If {email} has an account here, we have sent a link and a code to it. Open the link in this browser, or enter
        the code here. Both work once, for ten minutes.
      </p>
      <ActionForm action="/sign-in/link/use" {...(problems && { problems })} submit={`Sign in as ${email}`}>
        <div data-fragment>
          <Field name="code" label="Code from the email" autocomplete="one-time-code" autofocus required />
        </div>
      </ActionForm>
      <p class="hint">
        No email? Check your spam folder. <a href="/sign-in">Send another email</a>
      </p>
    </Page>
  );
}

/** Says in any other browser where the code is to be typed. */
export function ElsewherePage() {
  return (
    <Page title="Enter the code where you asked for it">
      <p>
        This browser has not asked for a sign-in email in the last ten minutes, or has already used it. Go back to the
        browser where you asked, and enter the code there. Your link and code stay valid.
      </p>
      <Actions>
        <LinkButton href="/sign-in">Sign in here instead</LinkButton>
      </Actions>
    </Page>
  );
}

/** Leads on to the provider, for browsers that do not go there by themselves. */
export function DeparturePage({ address, name }: { address: string; name: string }) {
  return (
    <Page title="One moment">
      <p>Sign in with {name}. You come back here afterwards.</p>
      <Actions>
        <LinkButton href={address} kind="primary">
          Continue
        </LinkButton>
      </Actions>
    </Page>
  );
}

/** Draws the form of the first owner. The code comes from behind the `#` of the link, or is pasted. */
export function SetupPage(props: {
  hasPasskeys: boolean;
  typed?: { code: string; email: string; name: string };
  problems?: FieldProblem[];
}) {
  const { typed, problems } = props;
  return (
    <Page title="Set up your account">
      <p>This link makes you the owner, with full access.</p>
      <ActionForm action="/setup" problems={withoutPasskey(problems)} submit="Set up account">
        <div data-fragment>
          <Field
            name="code"
            label="Setup code"
            hint="The part after # in the link from the console. It starts with fcs_setup_."
            autocomplete="off"
            value={typed?.code}
            required
          />
        </div>
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete="username"
          value={typed?.email}
          required
        />
        <NewPerson name={typed?.name} hasPasskeys={props.hasPasskeys} problems={problems} />
      </ActionForm>
    </Page>
  );
}

/** Draws the form that takes the secret behind the `#` of an invitation's link, or asks to paste it. */
export function AskInvitationPage() {
  const { brand } = useFrame();
  return (
    <Page title={invitationWords.title}>
      {brand && <p>{invitationWords.into(brand.name)}</p>}
      <ActionForm action="/invitation" submit="Continue">
        <div data-fragment="send">
          <Field
            name="invitation"
            label="Invitation code"
            hint="The part after # in your link. It starts with fcs_invitation_."
            autocomplete="off"
            required
          />
        </div>
      </ActionForm>
    </Page>
  );
}

/** Draws an invitation and the form that accepts it. */
export function InvitationPage(props: {
  secret: string;
  open: OpenInvitation;
  /** Whether a person is signed in, who then accepts as themselves. */
  isSignedIn: boolean;
  hasPasskeys: boolean;
  name?: string;
  problems?: FieldProblem[];
}) {
  const { secret, open, isSignedIn, problems } = props;
  const { email, inviter } = open.invitation;
  const isNew = !isSignedIn && !open.isKnown;
  return (
    <Page title={invitationWords.title}>
      <p>{invitationWords.into(open.accountName, inviter)}</p>
      {!isSignedIn && open.isKnown ? (
        <>
          <p>{email} already has an account. Sign in, then open the link again.</p>
          <Actions>
            <LinkButton href="/sign-in?next=/invitation">Sign in first</LinkButton>
          </Actions>
        </>
      ) : (
        <ActionForm action="/invitation/accept" problems={withoutPasskey(problems)} submit="Accept invitation">
          <input type="hidden" name="invitation" value={secret} />
          {isNew && (
            <>
              <p>You will sign in as {email}.</p>
              <input type="hidden" name="email" value={email} autocomplete="username" />
              <NewPerson
                name={props.name ?? open.invitation.name}
                hasPasskeys={props.hasPasskeys}
                problems={problems}
              />
            </>
          )}
        </ActionForm>
      )}
    </Page>
  );
}

/** Asks somebody new for their name, and for a passkey or a password. */
function NewPerson(props: { name: string | undefined; hasPasskeys: boolean; problems: FieldProblem[] | undefined }) {
  const { name, hasPasskeys, problems } = props;
  return (
    <>
      <Field name="name" label="Your name" autocomplete="name" value={name} required />
      {hasPasskeys && <FirstPasskey problems={problems} />}
      <Field
        name="password"
        label="Password"
        hint={setupWords.passwordHint}
        type="password"
        autocomplete="new-password"
        required
      />
    </>
  );
}

/** Offers somebody new a passkey before a password, in the form that has their name and address. */
function FirstPasskey({ problems }: { problems: FieldProblem[] | undefined }) {
  return (
    <div class="first-passkey" data-with-passkeys hidden>
      <p class="hint">{firstPasskeyWords.what}</p>
      <div class="actions">
        <PasskeyButton act="first" options="/setup/passkey" kind="primary">
          Add a passkey
        </PasskeyButton>
      </div>
      <PasskeyFailed problems={problems} />
      <p>Or choose a password:</p>
    </div>
  );
}
