import type { FieldProblem } from '../../platform/kernel/errors.js';
import { signInWords } from '../parts/content.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { Page } from '../layout/shell.js';

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
        <Field
          name="password"
          label={signInWords.password}
          type="password"
          autocomplete="current-password"
          required
        />
        <Check
          name="shared"
          label="This is a shared device"
          hint="We sign you out after an hour without activity."
        />
        <Actions>
          <Button>{signInWords.go}</Button>
          {hasPasskeys && (
            <PasskeyButton
              act="use"
              options="/api/v1/sign-in/passkey/options"
              action="/sign-in/passkey"
              auto
            >
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
          <p class="hint">
            Forgot your password? Sign in with a link in an email, then set a new one.
          </p>
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
        If {email} has an account here, we have sent a link and a code to it. Open the link in this
        browser, or enter the code here. Both work once, for ten minutes.
      </p>
      <ActionForm
        action="/sign-in/link/use"
        {...(problems && { problems })}
        submit={`Sign in as ${email}`}
      >
        <div data-fragment>
          <Field
            name="code"
            label="Code from the email"
            autocomplete="one-time-code"
            autofocus
            required
          />
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
        This browser has not asked for a sign-in email in the last ten minutes, or has already used
        it. Go back to the browser where you asked, and enter the code there. Your link and code
        stay valid.
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
