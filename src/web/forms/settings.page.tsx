import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { MailPreview, ThanksPreview } from './preview.js';
import { Origins, type OriginRow } from './origins.js';
import { GROUPS, LABELS, type Setting } from './settings.js';

export interface SettingsPageProps {
  frame: Frame;
  /** Whether it is known that the person's address is theirs. */
  isProven: boolean;
  name: string;
  identifier: string;
  count: number;
  /** Days after which submissions are deleted; null for never. */
  retentionDays: number | null;
  /** Whether the reader may delete the form and say how long it keeps submissions. */
  mayErase: boolean;
  origins: OriginRow[];
  /** Value of each field; `true` for a box that is ticked. */
  values: Record<string, string>;
  problems: FieldProblem[];
}

/**
 * Draws the settings of a form, and below them the buttons that duplicate and delete it. The first button of a
 * form is what Enter presses: it saves.
 */
export function SettingsPage(props: SettingsPageProps) {
  const { form } = words;
  const { name, identifier, problems, frame } = props;
  const here = `/forms/${identifier}`;
  return (
    <Shell title={`${form.settings} · ${name}`} frame={frame} section="forms">
      <PageHead title={form.settings} up={{ href: here, label: name }} />
      <nav class="contents" aria-label={form.contents}>
        {GROUPS.map(({ name: group }) => (
          <a href={`#s-${group}`}>{form.groups[group]}</a>
        ))}
        <a href="#s-origins">{form.origins.title}</a>
        <a href="#s-more">{form.more}</a>
      </nav>
      <ActionForm action={`${here}/settings`} problems={problems}>
        <button type="submit" class="unseen" tabindex={-1} aria-hidden="true">
          {form.save}
        </button>
        <Setting setting={{ name: 'name', required: true }} {...props} />
        {GROUPS.map(({ name: group, settings }) => (
          <fieldset id={`s-${group}`}>
            <legend>{form.groups[group]}</legend>
            {settings.map((setting) => (
              <Setting setting={setting} {...props} />
            ))}
            {(group === 'owner' || group === 'visitor') && (
              <MailPreview identifier={identifier} mail={group} isProven={props.isProven} />
            )}
            {group === 'looks' && <ThanksPreview identifier={identifier} />}
          </fieldset>
        ))}
        <Actions>
          <Button>{form.save}</Button>
          <LinkButton href={here}>{words.cancel}</LinkButton>
        </Actions>
      </ActionForm>
      <Origins identifier={identifier} rows={props.origins} />
      <section class="apart" id="s-more">
        <h2>{form.labels.title}</h2>
        <p class="hint">{form.labels.hint}</p>
        <LinkButton href={`${here}/labels`}>{form.labels.change}</LinkButton>
      </section>
      <section class="apart">
        <h2>{form.rows.title}</h2>
        <p class="hint">{form.rows.hint}</p>
        <LinkButton href={`${here}/preview`}>{form.rows.change}</LinkButton>
      </section>
      <section class="apart">
        <h2>{words.spam.title}</h2>
        <p class="hint">{words.spam.hint}</p>
        <LinkButton href={`${here}/spam`}>{words.spam.change}</LinkButton>
      </section>
      {props.mayErase && (
        <section class="apart">
          <h2>{form.retention.title}</h2>
          <p class="hint">
            {props.retentionDays === null
              ? form.retention.kept
              : form.retention.keptFor(props.retentionDays)}
          </p>
          <LinkButton href={`${here}/retention`}>{form.retention.change}</LinkButton>
        </section>
      )}
      <section class="apart">
        <h2>{form.duplicate}</h2>
        <p class="hint">{form.duplicateHint}</p>
        <ActionForm action={`${here}/duplicates`}>
          <Button kind="plain" icon="copy-plus">
            {form.duplicate}
          </Button>
        </ActionForm>
      </section>
      {props.mayErase && (
        <section class="apart">
          <h2>{form.delete}</h2>
          <p class="hint">{form.deleteHint(props.count)}</p>
          <ActionForm action={`${here}/delete`}>
            <Field
              name="typed_name"
              label={form.typeName(name)}
              value=""
              problems={problems}
              autocomplete="off"
            />
            <Actions>
              <Button kind="danger" icon="trash-2">
                {form.delete}
              </Button>
            </Actions>
          </ActionForm>
        </section>
      )}
    </Shell>
  );
}

function Setting({ setting, values, problems }: { setting: Setting } & SettingsPageProps) {
  const { label, hint } = LABELS[setting.name];
  const field = `form.${setting.name}`;
  const value = values[field] ?? '';
  if (setting.isFlag) {
    return <Check name={field} label={label} checked={value === 'true'} {...(hint && { hint })} />;
  }
  return (
    <Field
      name={field}
      label={label}
      hint={hint}
      value={value}
      problems={problems}
      type={setting.type ?? 'text'}
      rows={setting.rows ?? 1}
      required={setting.required ?? false}
    />
  );
}
