import { FACTS, MATCHINGS, OPERATION_NAMES } from '../../destinations/model/condition.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Field, Select } from '../parts/controls.js';
import { words } from '../words.js';
import { A_FIELD, NO_CONDITION, type ConditionTyped, type DestinationTyped } from './typed.js';

const { destinations: said } = words;

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
      <legend>{said.conditions}</legend>
      <p class="hint">{said.conditionsHint}</p>
      {fields.length > 0 && <p class="hint">{said.fieldsSeen(fields.join(', '))}</p>}
      <Select
        name="destination.match"
        label={said.match}
        value={typed.match}
        options={MATCHINGS.map((value) => ({ value, label: said.matches[value] }))}
      />
      {conditions.map((condition, at) => (
        <ConditionRow {...{ condition, problems }} prefix={`destination.conditions.${at}.`} />
      ))}
      <p class="hint">{said.valueHint}</p>
      {trial && (
        <p role="status" class="notice">
          {said.tried(trial.taken, trial.tried)}
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
  const about = FACTS.map((value) => ({ value: value, label: said.facts[value] }));
  return (
    <div class="pair quarters">
      <Select
        name={`${prefix}about`}
        label={said.about}
        value={condition.about}
        options={[{ value: A_FIELD, label: said.aField }, ...about]}
      />
      <Field
        name={`${prefix}field`}
        label={said.field}
        value={condition.field}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
      <Select
        name={`${prefix}op`}
        label={said.op}
        value={condition.op}
        options={OPERATION_NAMES.map((value) => ({ value, label: said.ops[value] }))}
      />
      <Field
        name={`${prefix}value`}
        label={said.value}
        value={condition.value}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}
