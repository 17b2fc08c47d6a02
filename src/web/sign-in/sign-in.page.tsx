import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { Shell } from '../layout/shell.js';
import { signInWords } from '../parts/words.js';
import { linkWords, oidcWords } from './words.js';

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
