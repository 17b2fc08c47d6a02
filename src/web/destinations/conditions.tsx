import { FACTS, type Fact } from '../../destinations/model/condition.js';
import { Fold, Actions, Button, Field, Select } from '../parts/index.js';
import { destinationWords } from './destinations.page.js';
import { A_FIELD, fieldOf, NO_CONDITION, type ConditionTyped, type DestinationTyped } from './typed.js';

/** Words of the conditions of a destination. */
const words = { matches: { all: 'all conditions match', any: 'any condition matches' } } as const;

export interface ConditionsProps {
  typed: DestinationTyped;
  /** The fields that came lately (`field:topic`) and facts, each with values to choose from. */
  values: ReadonlyMap<string, readonly string[]>;
  /** How its conditions did; null unless they were tried. */
  trial: { tried: number; taken: number } | null;
  /** Whether there is room for another condition. */
  mayAdd: boolean;
}

/** Draws the conditions of a destination, and how they did if they were tried. */
export function Conditions(props: ConditionsProps & { tryAt: string }) {
  const { typed, values, trial, mayAdd, tryAt } = props;
  const about = [...values.keys()].find((each) => each.startsWith(A_FIELD)) ?? A_FIELD;
  const conditions = mayAdd ? [...typed.conditions, { ...NO_CONDITION, about }] : typed.conditions;
  return (
    <Fold title="Conditions" open={typed.conditions.length > 0 || trial !== null}>
      <p class="hint">Without conditions it receives everything except spam.</p>
      <Select name="destination.match" label="Send when" value={typed.match} options={words.matches} />
      {conditions.map((condition, at) => (
        <ConditionRow {...{ condition, values }} prefix={`destination.conditions.${at}.`} />
      ))}
      {[...values].map(([about, offered]) => (
        <datalist id={listIdOf(about)}>
          {offered.map((value) => (
            <option value={value} />
          ))}
        </datalist>
      ))}
      <p class="hint">For a language, use a code such as de.</p>
      {trial && (
        <p role="status" class="notice">
          {trial.tried === 0
            ? 'There are no submissions to try them on yet.'
            : `${trial.taken} of the last ${trial.tried} submissions would have gone here.`}
        </p>
      )}
      <Actions>
        <Button kind="plain" action={tryAt}>
          Try conditions
        </Button>
      </Actions>
    </Fold>
  );
}

function listIdOf(about: string) {
  return `values of ${about}`.replace(/\s/g, '_');
}

function ConditionRow(props: { condition: ConditionTyped; prefix: string; values: ConditionsProps['values'] }) {
  const { condition, prefix, values } = props;
  const name = fieldOf(condition);
  const isFact = FACTS.includes(condition.about as Fact);
  const fields = new Set([...values.keys()].filter((about) => about.startsWith(A_FIELD)));
  if (!isFact && name !== '') fields.add(A_FIELD + name);
  const options = [
    ...[...fields].map((value) => ({ value, label: value.slice(A_FIELD.length) })),
    { value: A_FIELD, label: 'Another field' },
    ...FACTS.map((value) => ({ value, label: destinationWords.facts[value] })),
  ];
  const about = isFact ? condition.about : A_FIELD + name;
  return (
    <div class="pair quarters condition">
      <Select name={`${prefix}about`} label="Field" value={about} options={options} />
      <Field
        name={`${prefix}field`}
        label="Name of the field"
        value={about === A_FIELD ? name : ''}
        autocomplete="off"
        dir="auto"
      />
      <Select name={`${prefix}op`} label="Comparison" value={condition.op} options={destinationWords.ops} />
      <Field
        name={`${prefix}value`}
        label="Value"
        value={condition.value}
        list={listIdOf(about)}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}
