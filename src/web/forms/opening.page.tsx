import type { ComponentChildren } from 'preact';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field, Select } from '../parts/controls.js';
import { formWords, openingWords, rulesWords } from './words.js';
import { useFrame } from '../layout/shell.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import type { OpeningTyped } from './opening.js';
import {
  PATTERN_MAX,
  VALUE_TYPES,
  type ValueType,
  ON_FAILURE,
} from '../../forms/model/field-rules.js';
import { asksForAnything, NO_RULE, NUMBERS, type RulesTyped, type RuleTyped } from './rules.js';
import { GROUPS, LABELS, type Group, type Setting } from './settings.js';

export interface OpeningPageProps {
  form: FormShown;
  /** Sentence that visitors read now; null while the form is open. */
  shut: string | null;
  /** Submissions so far, without spam. */
  count: number;
  typed: OpeningTyped;
  problems: FieldProblem[];
}

/** Draws the switch that pauses a form, and when it closes. */
export function OpeningPage({ form, shut, count, typed, problems }: OpeningPageProps) {
  const { timeZone } = useFrame();
  return (
    <FormShell form={form} title={openingWords.title} tab="settings" part="opening">
      <section>
        <h2>{openingWords.title}</h2>
        {shut === null ? (
          <p>{openingWords.isOpen}</p>
        ) : (
          <p>
            {openingWords.isShut} <q dir="auto">{shut}</q>
          </p>
        )}
        <ActionForm
          action={`/forms/${form.identifier}/intake`}
          problems={problems}
          class="fields"
          submit={formWords.save}
        >
          <Check
            name="intake.paused"
            label={openingWords.paused}
            hint={openingWords.pausedHint}
            checked={typed.paused}
          />
          <Field
            {...{ name: 'intake.closes_at', label: openingWords.closesAt, type: 'datetime-local' }}
            {...{ value: typed.closesAt, problems, hint: openingWords.closesAtHint(timeZone) }}
          />
          <Field
            {...{
              name: 'intake.max_submissions',
              label: openingWords.max,
              hint: openingWords.maxHint(count),
            }}
            {...{ value: typed.maxSubmissions, problems, autocomplete: 'off' }}
            inputmode="numeric"
          />
          <Check
            name="intake.merge_repeats"
            label={openingWords.mergesRepeats}
            hint={openingWords.mergesRepeatsHint}
            checked={typed.mergesRepeats}
          />
          <Field
            {...{
              name: 'intake.message',
              label: openingWords.message,
              hint: openingWords.messageHint,
            }}
            {...{ value: typed.message, problems, rows: 3 }}
          />
        </ActionForm>
      </section>
    </FormShell>
  );
}

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

/** Values of the fields of a page. */
export interface SettingValues {
  /** Value of each field; `true` for a box that is ticked. */
  values: Record<string, string>;
  /** The group that was refused, and why; null for none. */
  refused: { group: Group; problems: FieldProblem[] } | null;
}

interface GroupProps extends SettingValues {
  group: Group;
  /** The address that saves the group, and it alone. */
  action: string;
  /** Preview beside the fields. */
  children?: ComponentChildren;
}

/** Draws the settings of a group with their own button that saves, which is what Enter presses. */
export function GroupForm({ group, action, values, refused, children }: GroupProps) {
  const problems = refused?.group === group ? refused.problems : [];
  return (
    <section id={`s-${group}`}>
      <h2>{formWords.groups[group]}</h2>
      <ActionForm action={action} problems={problems} class="beside">
        <div class="fields">
          {GROUPS[group].map((setting) =>
            Array.isArray(setting) ? (
              <div class="pair">
                {setting.map((each) => (
                  <SettingField setting={each} {...{ values, problems }} />
                ))}
              </div>
            ) : (
              <SettingField {...{ setting, values, problems }} />
            ),
          )}
          <Actions>
            <Button>{formWords.save}</Button>
          </Actions>
        </div>
        {children}
      </ActionForm>
    </section>
  );
}

function SettingField(props: {
  setting: Setting;
  values: Record<string, string>;
  problems: FieldProblem[];
}) {
  const { setting, values, problems } = props;
  const { label, hint } = LABELS[setting.name];
  const name = `form.${setting.name}`;
  const value = values[name] ?? '';
  if (setting.isFlag) {
    return <Check {...{ name, label }} checked={value === 'true'} {...(hint && { hint })} />;
  }
  if (setting.type === 'color') {
    return (
      <div class="swatched">
        <Field {...{ name, label, hint, value, problems }} />
        <svg class="swatch" aria-hidden="true" focusable="false">
          <rect width="100%" height="100%" fill={colorOf(value)} />
        </svg>
      </div>
    );
  }
  return (
    <Field
      {...{ name, label, hint, value, problems }}
      type={setting.type ?? 'text'}
      rows={setting.rows ?? 1}
      required={setting.required ?? false}
    />
  );
}

/** Returns a color for the swatch; none for what cannot be one. */
function colorOf(value: string): string {
  return /^#?\w+$/.test(value) ? value : 'none';
}
