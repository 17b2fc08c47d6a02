import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { link } = words;

/**
 * Takes the code of a sign-in mail where it was asked for. What the link of the mail has behind `#` goes
 * into the same field.
 */
export function LinkPage(props: { frame: Frame; email: string; problems?: FieldProblem[] }) {
  const { frame, email, problems } = props;
  return (
    <Shell title={link.title} frame={frame}>
      <PageHead title={link.title} />
      <p>{link.sent(email)}</p>
      <ActionForm action="/sign-in/link/use" {...(problems && { problems })}>
        <div data-fragment>
          <Field
            name="code"
            label={link.code}
            autocomplete="one-time-code"
            problems={problems}
            autofocus
            required
          />
        </div>
        <Actions>
          <Button>{link.as(email)}</Button>
        </Actions>
      </ActionForm>
      <p class="hint">
        {link.none} <a href="/sign-in">{link.again}</a>
      </p>
    </Shell>
  );
}

/** Says in any other browser where the code is to be typed. */
export function ElsewherePage({ frame }: { frame: Frame }) {
  return (
    <Shell title={link.elsewhere} frame={frame}>
      <PageHead title={link.elsewhere} />
      <p>{link.elsewhereWhy}</p>
      <Actions>
        <LinkButton href="/sign-in">{link.here}</LinkButton>
      </Actions>
    </Shell>
  );
}
