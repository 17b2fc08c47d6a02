import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { linkWords } from './words.js';

/**
 * Takes the code of a sign-in mail where it was asked for. What the link of the mail has behind `#` goes
 * into the same field.
 */
export function LinkPage(props: { frame: Frame; email: string; problems?: FieldProblem[] }) {
  const { frame, email, problems } = props;
  return (
    <Shell title={linkWords.title} frame={frame}>
      <PageHead title={linkWords.title} />
      <p>{linkWords.sent(email)}</p>
      <ActionForm action="/sign-in/link/use" {...(problems && { problems })}>
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
        <Actions>
          <Button>{linkWords.as(email)}</Button>
        </Actions>
      </ActionForm>
      <p class="hint">
        {linkWords.none} <a href="/sign-in">{linkWords.again}</a>
      </p>
    </Shell>
  );
}

/** Says in any other browser where the code is to be typed. */
export function ElsewherePage({ frame }: { frame: Frame }) {
  return (
    <Shell title={linkWords.elsewhere} frame={frame}>
      <PageHead title={linkWords.elsewhere} />
      <p>{linkWords.elsewhereWhy}</p>
      <Actions>
        <LinkButton href="/sign-in">{linkWords.here}</LinkButton>
      </Actions>
    </Shell>
  );
}
