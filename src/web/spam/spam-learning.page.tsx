import type { Learnt } from '../../spam/learning/spam-learning.service.js';
import { Confirm } from '../parts/confirm.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { spamLearning } = words;

/**
 * Draws from how many marks the spam filter has learnt, with the button that makes it forget.
 * @param needed marks of each kind before it says anything
 */
export function SpamLearningPage(props: { frame: Frame; learnt: Learnt; needed: number }) {
  const { frame, learnt, needed } = props;
  const { own, byClients } = learnt;
  const isSilent = Math.min(own.spam, own.ham) < needed;
  const isEmpty = own.spam + own.ham + byClients.spam + byClients.ham === 0;
  return (
    <Shell title={spamLearning.title} frame={frame} section="spam-learning">
      <PageHead title={spamLearning.title} />
      <p>{spamLearning.hint}</p>
      <p>
        <strong>{spamLearning.own(own.spam, own.ham)}</strong>
      </p>
      {isSilent ? (
        <p>{spamLearning.silent(needed)}</p>
      ) : (
        <Notice kind="good">{spamLearning.speaks}</Notice>
      )}
      {byClients.spam + byClients.ham > 0 && (
        <p>{spamLearning.byClients(byClients.spam, byClients.ham)}</p>
      )}
      {!isEmpty && (
        <Confirm
          action="/spam-learning/reset"
          label={spamLearning.reset}
          question={spamLearning.question}
          go={spamLearning.go}
        />
      )}
    </Shell>
  );
}
