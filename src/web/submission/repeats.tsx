import { ActionForm, Button } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { submissionWords } from './words.js';

export interface RepeatFacts {
  /** Ids of what came once more, and how many seconds later that was; oldest first. */
  repeats: { id: string; seconds: number }[];
  mayTriage: boolean;
}

/** Says that a submission was sent twice, and offers to make one of its own of each. */
export function Repeats({ repeats, mayTriage, here }: RepeatFacts & { here: string }) {
  const { repeats: said } = submissionWords;
  return (
    <>
      {repeats.map(({ id, seconds }) => (
        <div class="verdict">
          <Icon name="copy" />
          <p>{said.told(seconds)}</p>
          {mayTriage && (
            <ActionForm action={`${here}/repeats/${id}`} class="buttons">
              <Button icon="plus" kind="plain">
                {said.separate}
              </Button>
            </ActionForm>
          )}
        </div>
      ))}
    </>
  );
}
