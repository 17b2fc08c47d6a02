import { kindOf, type KindName } from '../../destinations/kinds/kinds.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Field, Select } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { destinationWords } from './words.js';
import { webhookWords } from '../webhooks/words.js';
import type { DestinationTyped } from './typed.js';

interface SettingsProps {
  kind: KindName;
  typed: DestinationTyped;
  /** Settings as they are shown; secrets are cut. Null for a destination that is not stored yet. */
  stored: { settings: Readonly<Record<string, string>> } | null;
  problems: FieldProblem[];
}

/** Settings that few need, in folds. */
const FOLDS: Partial<Record<KindName, Record<keyof typeof destinationWords.folds, string[]>>> = {
  email: {
    recipients: ['cc', 'bcc', 'route_field', 'routes'],
    text: ['reply_to', 'subject', 'body', 'files'],
  },
};

/** Returns what a field of a destination is called on its page. */
export function labelOfField(field: string): string {
  return destinationWords.settings[field.replace('destination.settings.', '')] ?? fieldLabel(field);
}

/** Draws what a kind of destination needs. */
export function Settings(props: SettingsProps) {
  const folds = Object.entries(FOLDS[props.kind] ?? {});
  const folded = new Set(folds.flatMap(([, names]) => names));
  const names = Object.keys(kindOf(props.kind).settings);
  return (
    <>
      {names
        .filter((name) => !folded.has(name))
        .map((name) => (
          <Setting {...props} name={name} />
        ))}
      {folds.map(([fold, within]) => (
        <details class="folded" open={within.some((name) => isInUse(props, name))}>
          <summary>
            <Icon name="chevron-right" />{' '}
            {destinationWords.folds[fold as keyof typeof destinationWords.folds]}
          </summary>
          {within.map((name) => (
            <Setting {...props} name={name} />
          ))}
        </details>
      ))}
    </>
  );
}

/** Tells whether a setting is not as it is by default, or has a problem to be seen. */
function isInUse({ kind, typed, problems }: SettingsProps, name: string): boolean {
  const [byDefault = ''] = kindOf(kind).settings[name]?.choices ?? [];
  const isRefused = problems.some(({ field }) => field === `destination.settings.${name}`);
  return isRefused || !['', byDefault].includes(typed.settings[name] ?? '');
}

function Setting(props: SettingsProps & { name: string }) {
  const { kind, name, typed, stored, problems } = props;
  const setting = kindOf(kind).settings[name];
  const label = destinationWords.settings[name] ?? name;
  const field = `destination.settings.${name}`;
  if (setting?.choices) {
    const [first = ''] = setting.choices;
    const options = setting.choices.map((value) => ({ value, label: labelOf(name, value) }));
    return <Select {...{ label, options }} name={field} value={typed.settings[name] ?? first} />;
  }
  const isStored = setting?.isSecret === true && stored?.settings[name] !== undefined;
  const hint = isStored
    ? `${stored.settings[name] ?? ''} ${destinationWords.keep}`
    : hintOf(kind, name);
  return (
    <Field
      {...{ label, problems, name: field, autocomplete: 'off' }}
      {...(hint !== undefined && { hint })}
      value={typed.settings[name]}
      rows={setting?.isLong ? 6 : 1}
    />
  );
}

function hintOf(kind: KindName, name: string): string | undefined {
  return destinationWords.hints[`${kind}.${name}`];
}

/** Returns what a choice of a setting is called; the webhook of a form has the same ones. */
function labelOf(name: string, value: string): string {
  const { formats, signatures } = webhookWords;
  const known: Readonly<Record<string, string>> =
    name === 'format' ? formats : name === 'signature' ? signatures : destinationWords.choices;
  return known[value] ?? value;
}
