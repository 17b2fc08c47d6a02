import { ActionForm, Button } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words.js';

export interface WaitingFacts {
  /** Whom it waits for, and why they may never answer; null where it waits for nobody. */
  waiting: { email: string; problem: string | null } | null;
  mayTriage: boolean;
}

/** Says that a submission waits for its visitor, and offers to send what it causes anyway. */
export function Waiting({ waiting, mayTriage, here }: WaitingFacts & { here: string }) {
  const { waiting: said } = words.submission;
  if (waiting === null) return null;
  const { email, problem } = waiting;
  return (
    <div class="verdict">
      <Icon name="clock" />
      <p>
        <bdi>{said.told(email)}</bdi>
        {problem !== null && ` ${said.failed(problem)}`}
      </p>
      {mayTriage && (
        <ActionForm action={`${here}/confirm`} class="buttons">
          <Button kind={problem === null ? 'plain' : 'primary'} icon="send">
            {said.sendAnyway}
          </Button>
        </ActionForm>
      )}
    </div>
  );
}
