import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { newEmail: text } = words;
const PATH = '/account/email';
const ACCOUNT = { href: '/account', label: words.me.title };

/** Asks for the address that a person wants to sign in with. */
export function EmailPage(props: {
  frame: Frame;
  current: string;
  email?: string;
  problems?: FieldProblem[];
}) {
  const { frame, current, email, problems = [] } = props;
  return (
    <Shell title={text.title} frame={frame} section="account">
      <PageHead title={text.title} up={ACCOUNT} />
      <p>{text.current(current)}</p>
      <ActionForm action={PATH} problems={problems}>
        <Field
          name="email"
          label={text.email}
          hint={text.hint}
          type="email"
          autocomplete="email"
          value={email}
          problems={problems}
          required
        />
        <Actions>
          <Button>{text.ask}</Button>
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
        {text.prove}
      </Button>
    </ActionForm>
  );
}

/** Says that a mail is on its way. */
export function EmailAskedPage(props: { frame: Frame; email: string; isKnown?: boolean }) {
  const { frame, email, isKnown = false } = props;
  return (
    <Shell title={text.title} frame={frame} section="account">
      <PageHead title={text.asked} up={ACCOUNT} />
      <p>{text.sent(email)}</p>
      {!isKnown && <p class="hint">{text.taken}</p>}
    </Shell>
  );
}

/** Takes the link from behind the `#` of its address, or asks to paste it. */
export function ConfirmEmailPage({ frame, problem }: { frame: Frame; problem?: string }) {
  return (
    <Shell title={text.confirmTitle} frame={frame} section="account">
      <PageHead title={text.confirmTitle} up={ACCOUNT} />
      <p>{text.why}</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ActionForm action={`${PATH}/confirm`}>
        <div data-fragment>
          <Field name="link" label={text.link} hint={text.linkHint} autocomplete="off" required />
        </div>
        <Actions>
          <Button>{text.confirm}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
