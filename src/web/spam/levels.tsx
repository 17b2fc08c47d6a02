import { levelOf, SPAM_LEVEL_NAMES } from '../../spam/judge/spam-level.js';
import type { SpamStatistics } from '../../statistics/spam/spam-statistics.service.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { LevelCard } from '../parts/content.js';
import { spamWords } from './words.js';
import type { SpamTyped } from './spam.js';

/** Choice while the scores are the owner's own; choosing it changes nothing. */
export const CUSTOM_LEVEL = 'custom';

/** Draws the levels to choose from, with what each would have done of late; scores of the owner's own are one more. */
export function Levels(props: {
  identifier: string;
  settings: Pick<SpamTyped, 'heldAt' | 'spamAt'>;
  would: SpamStatistics['levels'];
}) {
  const { identifier, would } = props;
  const { heldAt, spamAt } = props.settings;
  const now = levelOf({ heldAt: Number(heldAt), spamAt: Number(spamAt) });
  return (
    <section>
      <h2>{spamWords.level}</h2>
      <p class="hint">{spamWords.hint}</p>
      <ActionForm action={`/forms/${identifier}/spam/level`} class="levels">
        <fieldset>
          <legend class="unseen">{spamWords.level}</legend>
          {SPAM_LEVEL_NAMES.map((level) => (
            <LevelCard
              value={level}
              isChosen={level === now}
              said={spamWords.levels[level]}
              would={spamWords.would(would[level])}
            />
          ))}
          {now === null && (
            <LevelCard
              value={CUSTOM_LEVEL}
              isChosen
              said={spamWords.levels[CUSTOM_LEVEL]}
              would={spamWords.customAt(heldAt, spamAt)}
            />
          )}
        </fieldset>
        <Actions>
          <Button>{spamWords.saveLevel}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
