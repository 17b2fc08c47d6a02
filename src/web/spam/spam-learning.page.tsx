import type { Learnt } from '../../spam/learning/spam-learning.service.js';
import { Confirm } from '../parts/confirm.js';
import { Notice, PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { spamLearningWords } from './words.js';

/**
 * Draws from how many marks the spam filter has learnt, with the button that makes it forget.
 * @param needed marks of each kind before it says anything
 */
export function SpamLearningPage(props: { learnt: Learnt; needed: number }) {
  const { learnt, needed } = props;
  const { own, byClients } = learnt;
  const isSilent = Math.min(own.spam, own.ham) < needed;
  const isEmpty = own.spam + own.ham + byClients.spam + byClients.ham === 0;
  return (
    <Shell title={spamLearningWords.title} section="spam-learning">
      <PageHead title={spamLearningWords.title} />
      <p>{spamLearningWords.hint}</p>
      <p>
        <strong>{spamLearningWords.own(own.spam, own.ham)}</strong>
      </p>
      {isSilent ? (
        <p>{spamLearningWords.silent(needed)}</p>
      ) : (
        <Notice kind="good">{spamLearningWords.speaks}</Notice>
      )}
      {byClients.spam + byClients.ham > 0 && (
        <p>{spamLearningWords.byClients(byClients.spam, byClients.ham)}</p>
      )}
      {!isEmpty && (
        <Confirm
          action="/spam-learning/reset"
          label={spamLearningWords.reset}
          question={spamLearningWords.question}
          go={spamLearningWords.go}
        />
      )}
    </Shell>
  );
}
