import { ActionForm, Button } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { submissionWords } from './words.js';

export interface WaitingFacts {
  /** Whom it waits for, and why they may never answer; null where it waits for nobody. */
  waiting: { email: string; problem: string | null } | null;
  mayTriage: boolean;
  /** Whether the reader acts for a client, and learns nothing of mail servers. */
  isOfClient: boolean;
}

/** Says that a submission waits for its visitor, and offers to send what it causes anyway. */
export function Waiting(props: WaitingFacts & { here: string }) {
  const { waiting: said } = submissionWords;
  const { waiting, mayTriage, isOfClient, here } = props;
  if (waiting === null) return null;
  const { email, problem } = waiting;
  return (
    <div class="verdict">
      <Icon name="clock" />
      <p>
        <bdi>{said.told(email)}</bdi>
        {problem !== null && ` ${said.failed(isOfClient ? null : problem)}`}
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
