import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Check, Field, Select } from '../parts/controls.js';
import { formWords, rulesWords } from './words.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import {
  PATTERN_MAX,
  VALUE_TYPES,
  type ValueType,
  ON_FAILURE,
} from '../../forms/model/field-rules.js';
import { asksForAnything, NO_RULE, NUMBERS, type RulesTyped, type RuleTyped } from './rules.js';

export interface RulesPageProps {
  form: FormShown;
  typed: RulesTyped;
  problems: FieldProblem[];
  /** Whether there is room for another rule. */
  mayAdd: boolean;
}

/** Draws the rules for the fields of a form, each to be opened, and what happens when one is broken. */
export function RulesPage({ form, typed, problems, mayAdd }: RulesPageProps) {
  const rules = mayAdd ? [...typed.rules, NO_RULE] : typed.rules;
  return (
    <FormShell form={form} title={rulesWords.title} tab="settings" part="rules">
      <section>
        <h2>{rulesWords.title}</h2>
        <ActionForm
          action={`/forms/${form.identifier}/rules`}
          problems={problems}
          submit={formWords.save}
        >
          <p class="hint">{rulesWords.hint}</p>
          <Select
            name="on_failure"
            label={rulesWords.onFailure}
            value={typed.onFailure}
            options={ON_FAILURE.map((value) => ({ value, label: rulesWords.actions[value] }))}
          />
          <table class="rules">
            <tbody>
              {rules.map((rule, at) => (
                <tr>
                  <td>
                    <Rule rule={rule} prefix={`rules.${at}.`} problems={problems} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ActionForm>
      </section>
    </FormShell>
  );
}

interface RuleProps {
  rule: RuleTyped;
  /** Path of the rule in the body. */
  prefix: string;
  problems: FieldProblem[];
}

function Rule({ rule, prefix, problems }: RuleProps) {
  const isWrong = problems.some(({ field }) => field.startsWith(prefix));
  const given = (name: Exclude<keyof RuleTyped, 'required'>) => ({
    ...{ name: prefix + name, value: rule[name], problems, autocomplete: 'off' },
  });
  return (
    <details open={isWrong}>
      <summary>
        {rule.field === '' ? (
          rulesWords.add
        ) : (
          <>
            <code dir="auto">{rule.field}</code> <span class="hint">{summaryOf(rule)}</span>
          </>
        )}
      </summary>
      <div class="fields">
        <Field {...given('field')} label={rulesWords.field} hint={rulesWords.fieldHint} />
        <Check
          name={`${prefix}required`}
          label={rulesWords.required}
          hint={rulesWords.requiredHint}
          checked={rule.required}
        />
        <Select
          name={`${prefix}type`}
          label={rulesWords.type}
          value={rule.type}
          options={VALUE_TYPES.map((value) => ({ value, label: rulesWords.types[value] }))}
        />
        {[NUMBERS.slice(0, 2), NUMBERS.slice(2)].map((names) => (
          <div class="pair">
            {names.map((name) => (
              <Field {...given(name)} label={rulesWords[name]} />
            ))}
          </div>
        ))}
        <Field
          {...given('one_of')}
          label={rulesWords.one_of}
          hint={rulesWords.oneOfHint}
          rows={3}
        />
        <Field
          {...given('pattern')}
          label={rulesWords.pattern}
          hint={rulesWords.patternHint}
          maxlength={PATTERN_MAX}
        />
      </div>
    </details>
  );
}

/** Says in a few words what a rule asks for. */
function summaryOf(rule: RuleTyped): string {
  if (!asksForAnything(rule)) return rulesWords.none;
  const choices = rule.one_of.split('\n').filter((line) => line !== '').length;
  const isLimited = rule.pattern !== '' || NUMBERS.some((name) => rule[name] !== '');
  return [
    rule.required ? rulesWords.required : '',
    VALUE_TYPES.includes(rule.type as ValueType)
      ? rulesWords.types[rule.type as ValueType]
      : rule.type,
    choices > 0 ? rulesWords.choices(choices) : '',
    isLimited ? rulesWords.limited : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
