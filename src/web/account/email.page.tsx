import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { accountWords, emailWords } from './words.js';
import { previewWords } from '../previews/words.js';
const PATH = '/account/email';
const ACCOUNT = { href: '/account', label: accountWords.title };

/** Asks for the address that a person wants to sign in with. */
export function EmailPage(props: { current: string; email?: string; problems?: FieldProblem[] }) {
  const { current, email, problems = [] } = props;
  return (
    <Shell title={emailWords.title} section="account">
      <PageHead title={emailWords.title} up={ACCOUNT} />
      <p>{emailWords.current(current)}</p>
      <ActionForm action={PATH} problems={problems}>
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
        <Actions>
          <Button>{emailWords.ask}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Offers the mail by which a person shows that their address is theirs. */
export function ProveEmail() {
  return (
    <ActionForm action={`${PATH}/proof`}>
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
      <ActionForm action={`${PATH}/confirm`}>
        <div data-fragment>
          <Field
            name="link"
            label={emailWords.link}
            hint={emailWords.linkHint}
            autocomplete="off"
            required
          />
        </div>
        <Actions>
          <Button>{emailWords.confirm}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
