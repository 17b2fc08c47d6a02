import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { RejudgePreview } from '../../jobs/queue/rejudge.service.js';
import { Notice } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Time } from '../parts/time.js';
import { rejudgeWords } from './words.js';

/** Input of a new spam check, with its preview. */
export interface RejudgeShown {
  line: string;
  /** Null until somebody asked. */
  preview: RejudgePreview | null;
}

interface RejudgeProps extends RejudgeShown {
  form: { identifier: string };
  problems: FieldProblem[];
}

/** Draws what judges submissions again: first what would move, then the button that does it. */
export function Rejudge({ form, line, preview, problems }: RejudgeProps) {
  const action = `/forms/${form.identifier}/spam/rejudge#rejudge`;
  return (
    <section class="apart" id="rejudge">
      <h2>{rejudgeWords.title}</h2>
      <ActionForm action={action} problems={problems}>
        <p class="hint">{rejudgeWords.hint}</p>
        <Field
          {...{ name: 'q', label: rejudgeWords.which, hint: rejudgeWords.whichHint, problems }}
          value={line}
        />
        <Actions>
          <Button kind="plain">{rejudgeWords.look}</Button>
        </Actions>
      </ActionForm>
      {preview && (
        <Notice kind="warn">
          <Moves {...preview} />
          <ActionForm action={action} class="buttons">
            <input type="hidden" name="q" value={line} />
            <Button kind="primary" name="go" value="true">
              {rejudgeWords.go}
            </Button>
          </ActionForm>
        </Notice>
      )}
    </section>
  );
}

function Moves({ looked, lookedTo, kept, moves }: RejudgePreview) {
  return (
    <>
      <p>{rejudgeWords.looked(looked)}</p>
      {moves.length === 0 && <p>{rejudgeWords.nothing}</p>}
      {moves.map(({ from, to, count }) => (
        <p>{rejudgeWords.move(count, from, to)}</p>
      ))}
      {kept > 0 && <p>{rejudgeWords.kept(kept)}</p>}
      {lookedTo !== null && (
        <p>
          {rejudgeWords.lookedTo} <Time at={lookedTo} />. {rejudgeWords.more}
        </p>
      )}
      {moves.some(({ from, to }) => from !== 'clean' && to === 'clean') && (
        <p>{rejudgeWords.sends}</p>
      )}
    </>
  );
}
