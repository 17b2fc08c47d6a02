import {
  FACTS,
  MATCHINGS,
  OPERATION_NAMES,
  type Fact,
} from '../../destinations/model/condition.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Icon } from '../parts/content.js';
import { Actions, Button, Field, Select } from '../parts/controls.js';
import { destinationWords } from './destinations.page.js';
import {
  A_FIELD,
  fieldOf,
  NO_CONDITION,
  type ConditionTyped,
  type DestinationTyped,
} from './typed.js';

/** Words of the conditions of a destination. */
const words = {
  conditions: 'Conditions',
  conditionsHint: 'Without conditions it receives everything except spam.',
  match: 'Send when',
  matches: { all: 'all conditions match', any: 'any condition matches' },
  about: 'Field',
  aField: 'Another field',
  field: 'Name of the field',
  op: 'Comparison',
  value: 'Value',
  valueHint: 'For a language, use a code such as de.',
  try: 'Try conditions',
  tried: (count: number, of: number) =>
    of === 0
      ? 'There are no submissions to try them on yet.'
      : `${count} of the last ${of} submissions would have gone here.`,
} as const;

export interface ConditionsProps {
  typed: DestinationTyped;
  /** The fields that came lately (`field:topic`) and facts, each with values to choose from. */
  values: ReadonlyMap<string, readonly string[]>;
  /** How its conditions did; null unless they were tried. */
  trial: { tried: number; taken: number } | null;
  /** Whether there is room for another condition. */
  mayAdd: boolean;
  problems: FieldProblem[];
}

/** Draws the conditions of a destination, and how they did if they were tried. */
export function Conditions(props: ConditionsProps & { tryAt: string }) {
  const { typed, values, trial, mayAdd, problems, tryAt } = props;
  const about = [...values.keys()].find((each) => each.startsWith(A_FIELD)) ?? A_FIELD;
  const conditions = mayAdd ? [...typed.conditions, { ...NO_CONDITION, about }] : typed.conditions;
  return (
    <details class="folded" open={typed.conditions.length > 0 || trial !== null}>
      <summary>
        <Icon name="chevron-right" /> {words.conditions}
      </summary>
      <p class="hint">{words.conditionsHint}</p>
      <Select
        name="destination.match"
        label={words.match}
        value={typed.match}
        options={MATCHINGS.map((value) => ({ value, label: words.matches[value] }))}
      />
      {conditions.map((condition, at) => (
        <ConditionRow
          {...{ condition, problems, values }}
          prefix={`destination.conditions.${at}.`}
        />
      ))}
      {[...values].map(([about, offered]) => (
        <datalist id={listIdOf(about)}>
          {offered.map((value) => (
            <option value={value} />
          ))}
        </datalist>
      ))}
      <p class="hint">{words.valueHint}</p>
      {trial && (
        <p role="status" class="notice">
          {words.tried(trial.taken, trial.tried)}
        </p>
      )}
      <Actions>
        <Button kind="plain" action={tryAt}>
          {words.try}
        </Button>
      </Actions>
    </details>
  );
}

function listIdOf(about: string): string {
  return `values of ${about}`.replace(/\s/g, '_');
}

function ConditionRow(props: {
  condition: ConditionTyped;
  prefix: string;
  problems: FieldProblem[];
  values: ConditionsProps['values'];
}) {
  const { condition, prefix, problems, values } = props;
  const name = fieldOf(condition);
  const isFact = FACTS.includes(condition.about as Fact);
  const fields = new Set([...values.keys()].filter((about) => about.startsWith(A_FIELD)));
  if (!isFact && name !== '') fields.add(A_FIELD + name);
  const options = [
    ...[...fields].map((value) => ({ value, label: value.slice(A_FIELD.length) })),
    { value: A_FIELD, label: words.aField },
    ...FACTS.map((value) => ({ value, label: destinationWords.facts[value] })),
  ];
  const about = isFact ? condition.about : A_FIELD + name;
  return (
    <div class="pair quarters condition">
      <Select name={`${prefix}about`} label={words.about} value={about} options={options} />
      <Field
        name={`${prefix}field`}
        label={words.field}
        value={about === A_FIELD ? name : ''}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
      <Select
        name={`${prefix}op`}
        label={words.op}
        value={condition.op}
        options={OPERATION_NAMES.map((value) => ({ value, label: destinationWords.ops[value] }))}
      />
      <Field
        name={`${prefix}value`}
        label={words.value}
        value={condition.value}
        problems={problems}
        list={listIdOf(about)}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}
