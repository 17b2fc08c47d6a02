import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead, signInWords } from '../parts/content.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { Shell } from '../layout/shell.js';
import { linkWords, oidcWords, codeWords } from './words.js';

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
    <Shell title={signInWords.title}>
      <PageHead title={signInWords.title} />
      <ActionForm action="/sign-in" problems={withoutPasskey(problems)}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
          value={email}
          problems={problems}
          required
        />
        <Field
          name="password"
          label={signInWords.password}
          type="password"
          autocomplete="current-password"
          problems={problems}
          required
        />
        <Check name="shared" label={signInWords.shared} hint={signInWords.sharedHint} />
        <Actions>
          <Button>{signInWords.go}</Button>
          {hasPasskeys && (
            <PasskeyButton
              act="use"
              options="/api/v1/sign-in/passkey/options"
              action="/sign-in/passkey"
              auto
            >
              {signInWords.passkey}
            </PasskeyButton>
          )}
          {providerName !== null && (
            <Button kind="plain" action="/sign-in/oidc">
              {oidcWords.with(providerName)}
            </Button>
          )}
          {isLinkOffered && (
            <Button kind="plain" action="/sign-in/link">
              {linkWords.ask}
            </Button>
          )}
        </Actions>
        {hasPasskeys && <PasskeyFailed problems={problems} />}
        {isLinkOffered && <p class="hint">{linkWords.askHint}</p>}
      </ActionForm>
    </Shell>
  );
}

/** Asks for a code of the authenticator app, or a recovery code, once the password was right. */
export function CodePage(props: { next: string; problems?: FieldProblem[] }) {
  const { next, problems } = props;
  return (
    <Shell title={codeWords.title}>
      <PageHead title={codeWords.title} />
      <ActionForm action="/sign-in/code" {...(problems && { problems })} submit={signInWords.go}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={codeWords.code}
          hint={codeWords.hint}
          autocomplete="one-time-code"
          problems={problems}
          autofocus
          required
        />
      </ActionForm>
    </Shell>
  );
}

/**
 * Takes the code of a sign-in mail where it was asked for. What the link of the mail has behind `#` goes
 * into the same field.
 */
export function LinkPage(props: { email: string; problems?: FieldProblem[] }) {
  const { email, problems } = props;
  return (
    <Shell title={linkWords.title}>
      <PageHead title={linkWords.title} />
      <p>{linkWords.sent(email)}</p>
      <ActionForm
        action="/sign-in/link/use"
        {...(problems && { problems })}
        submit={linkWords.as(email)}
      >
        <div data-fragment>
          <Field
            name="code"
            label={linkWords.code}
            autocomplete="one-time-code"
            problems={problems}
            autofocus
            required
          />
        </div>
      </ActionForm>
      <p class="hint">
        {linkWords.none} <a href="/sign-in">{linkWords.again}</a>
      </p>
    </Shell>
  );
}

/** Says in any other browser where the code is to be typed. */
export function ElsewherePage() {
  return (
    <Shell title={linkWords.elsewhere}>
      <PageHead title={linkWords.elsewhere} />
      <p>{linkWords.elsewhereWhy}</p>
      <Actions>
        <LinkButton href="/sign-in">{linkWords.here}</LinkButton>
      </Actions>
    </Shell>
  );
}

/** Leads on to the provider, for browsers that do not go there by themselves. */
export function DeparturePage({ address, name }: { address: string; name: string }) {
  return (
    <Shell title={oidcWords.title}>
      <PageHead title={oidcWords.title} />
      <p>{oidcWords.leave(name)}</p>
      <Actions>
        <LinkButton href={address} kind="primary">
          {oidcWords.go}
        </LinkButton>
      </Actions>
    </Shell>
  );
}
