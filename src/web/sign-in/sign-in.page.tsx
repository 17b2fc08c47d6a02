import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { PasskeyButton, PasskeyFailed, withoutPasskey } from '../parts/passkey-button.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Asks for a passkey, for address and password, or for the address alone to mail a link to. */
export function SignInPage(props: {
  frame: Frame;
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
  const { frame, next, isLinkOffered, providerName, hasPasskeys, email = '', problems } = props;
  return (
    <Shell title={words.signIn.title} frame={frame}>
      <PageHead title={words.signIn.title} />
      <ActionForm action="/sign-in" problems={withoutPasskey(problems)}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label={words.signIn.email}
          type="email"
          autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
          value={email}
          problems={problems}
          required
        />
        <Field
          name="password"
          label={words.signIn.password}
          type="password"
          autocomplete="current-password"
          problems={problems}
          required
        />
        <Check name="shared" label={words.signIn.shared} hint={words.signIn.sharedHint} />
        <Actions>
          <Button>{words.signIn.go}</Button>
          {hasPasskeys && (
            <PasskeyButton
              act="use"
              options="/api/v1/sign-in/passkey/options"
              action="/sign-in/passkey"
              auto
            >
              {words.passkeys.signIn}
            </PasskeyButton>
          )}
          {providerName !== null && (
            <Button kind="plain" action="/sign-in/oidc">
              {words.oidc.with(providerName)}
            </Button>
          )}
          {isLinkOffered && (
            <Button kind="plain" action="/sign-in/link">
              {words.link.ask}
            </Button>
          )}
        </Actions>
        {hasPasskeys && <PasskeyFailed problems={problems} />}
        {isLinkOffered && <p class="hint">{words.link.askHint}</p>}
      </ActionForm>
    </Shell>
  );
}
