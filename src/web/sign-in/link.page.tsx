import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { linkWords } from './words.js';

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
