import type { ComponentChildren } from 'preact';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { formWords } from './words.js';
import { GROUPS, LABELS, type Group, type Setting } from './settings.js';

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
