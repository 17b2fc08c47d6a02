import { FACTS, MATCHINGS, OPERATION_NAMES } from '../../destinations/model/condition.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Field, Select } from '../parts/controls.js';
import { destinationWords } from './words.js';
import { A_FIELD, NO_CONDITION, type ConditionTyped, type DestinationTyped } from './typed.js';

export interface ConditionsProps {
  typed: DestinationTyped;
  /** Names of the fields that came lately. */
  fields: readonly string[];
  /** How its conditions did; null unless they were tried. */
  trial: { tried: number; taken: number } | null;
  /** Whether there is room for another condition. */
  mayAdd: boolean;
  problems: FieldProblem[];
}

/** Draws the conditions of a destination, and how they did if they were tried. */
export function Conditions({ typed, fields, trial, mayAdd, problems }: ConditionsProps) {
  const conditions = mayAdd ? [...typed.conditions, NO_CONDITION] : typed.conditions;
  return (
    <fieldset>
      <legend>{destinationWords.conditions}</legend>
      <p class="hint">{destinationWords.conditionsHint}</p>
      {fields.length > 0 && <p class="hint">{destinationWords.fieldsSeen(fields.join(', '))}</p>}
      <Select
        name="destination.match"
        label={destinationWords.match}
        value={typed.match}
        options={MATCHINGS.map((value) => ({ value, label: destinationWords.matches[value] }))}
      />
      {conditions.map((condition, at) => (
        <ConditionRow {...{ condition, problems }} prefix={`destination.conditions.${at}.`} />
      ))}
      <p class="hint">{destinationWords.valueHint}</p>
      {trial && (
        <p role="status" class="notice">
          {destinationWords.tried(trial.taken, trial.tried)}
        </p>
      )}
    </fieldset>
  );
}

function ConditionRow(props: {
  condition: ConditionTyped;
  prefix: string;
  problems: FieldProblem[];
}) {
  const { condition, prefix, problems } = props;
  const about = FACTS.map((value) => ({ value: value, label: destinationWords.facts[value] }));
  return (
    <div class="pair quarters">
      <Select
        name={`${prefix}about`}
        label={destinationWords.about}
        value={condition.about}
        options={[{ value: A_FIELD, label: destinationWords.aField }, ...about]}
      />
      <Field
        name={`${prefix}field`}
        label={destinationWords.field}
        value={condition.field}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
      <Select
        name={`${prefix}op`}
        label={destinationWords.op}
        value={condition.op}
        options={OPERATION_NAMES.map((value) => ({ value, label: destinationWords.ops[value] }))}
      />
      <Field
        name={`${prefix}value`}
        label={destinationWords.value}
        value={condition.value}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}
