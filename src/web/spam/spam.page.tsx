import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { spamWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import type { ListTexts } from '../../spam/lists/spam-list.entity.js';
import type { SpamStatistics } from '../../statistics/spam/spam-statistics.service.js';
import { Caught } from './caught.js';
import { Levels } from './levels.js';
import { Rejudge, type RejudgeShown } from './rejudge.js';
import { Rules } from './rules.js';
import type { SpamTyped } from './spam.js';

export interface SpamPageProps {
  form: FormShown;
  typed: SpamTyped;
  /** Block and allow lists as typed: one entry per line. */
  lists: ListTexts;
  problems: FieldProblem[];
  /** Statistics of the last 30 days. */
  caught: SpamStatistics;
  again: RejudgeShown;
}

/** Draws how strictly a form judges what is sent; all else is folded, and opens for what was just asked there. */
export function SpamPage(props: SpamPageProps) {
  const { form, typed, caught, again } = props;
  const problems = props.problems.filter((problem) => !isOfLists(problem) && !isOfRejudge(problem));
  const isOpen = props.problems.length > 0 || again.preview !== null;
  return (
    <FormShell form={form} title={spamWords.title} tab="spam">
      <Levels identifier={form.identifier} settings={typed} would={caught.levels} />
      <details class="folded" open={isOpen}>
        <summary>
          <Icon name="chevron-right" /> {spamWords.tune}
        </summary>
        <Rules {...{ form, typed, problems }} />
        <Lists {...props} />
        <Rejudge {...again} form={form} problems={props.problems.filter(isOfRejudge)} />
      </details>
      <details class="folded">
        <summary>
          <Icon name="chevron-right" /> {spamWords.caught}
        </summary>
        <Caught {...caught} />
      </details>
    </FormShell>
  );
}

const isOfLists = ({ field }: FieldProblem) => field.startsWith('lists.');
const isOfRejudge = ({ field }: FieldProblem) => field === 'q';

/** Draws what the form blocks and allows, with a form of its own. */
function Lists({ form, lists, problems: all }: SpamPageProps) {
  const problems = all.filter(isOfLists);
  return (
    <section class="apart" id="lists">
      <h2>{spamWords.lists}</h2>
      <ActionForm action={`/forms/${form.identifier}/spam/lists`} problems={problems}>
        <p class="hint">{spamWords.listsHint}</p>
        <Field
          {...{ name: 'lists.block', label: spamWords.block, hint: spamWords.blockHint, problems }}
          rows={6}
          value={lists.block}
        />
        <Field
          {...{ name: 'lists.allow', label: spamWords.allow, hint: spamWords.allowHint, problems }}
          rows={6}
          value={lists.allow}
        />
        <Actions>
          <Button kind="plain">{spamWords.saveLists}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
