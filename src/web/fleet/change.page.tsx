import type { FormSummary } from '../../forms/form-queries.service.js';
import { FORMS_CHANGED_MAX } from '../../fleet/fleet-change.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Check, Field, LinkButton, Select } from '../parts/controls.js';
import { Empty, PageHead, Icon } from '../parts/content.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { Shell } from '../layout/shell.js';
import { fleetWords } from './words.js';
import { formHeadWords } from '../form-head/form-head.js';
import { CLEAR, FORMS, SETTINGS, type GRANTS, type TEXTS } from './change-typed.js';

const { change } = fleetWords;
const UP = { href: '/forms', label: formHeadWords.list };

export interface ChangePageProps {
  forms: readonly Pick<FormSummary, 'name' | 'identifier'>[];
  /** How many were meant; more than `forms` where that is too many. */
  total: number;
  /** Clients to choose; none for who may not grant. */
  clients: readonly { id: number; name: string }[];
  typed: Typed | undefined;
  problems: FieldProblem[];
}

/** Asks what to change in several forms. */
export function ChangePage(props: ChangePageProps) {
  const { forms, total, problems } = props;
  const title = forms.length === 0 ? change.none : change.title(forms.length);
  return (
    <Shell title={title} section="forms">
      <PageHead title={title} up={UP} />
      {forms.length === 0 ? (
        <Empty icon="clipboard-list" title={change.none}>
          <p>{change.noneHint}</p>
          <LinkButton href="/forms">{change.back}</LinkButton>
        </Empty>
      ) : (
        <>
          {total > forms.length && <p>{change.cut(FORMS_CHANGED_MAX, total)}</p>}
          <p class="hint">{change.hint}</p>
          <Names forms={forms} />
          <ActionForm
            action="/change-forms"
            problems={problems}
            labelOf={labelOf}
            class="settings wide"
            submit={change.preview}
          >
            <input
              type="hidden"
              name={FORMS}
              value={forms.map(({ identifier }) => identifier).join(',')}
            />
            <Settings {...props} />
          </ActionForm>
        </>
      )}
    </Shell>
  );
}

function Names({ forms }: Pick<ChangePageProps, 'forms'>) {
  return (
    <details class="folded">
      <summary>
        <Icon name="chevron-right" /> {change.names}
      </summary>
      <ul class="names">
        {forms.map(({ name, identifier }) => (
          <li>
            <a dir="auto" href={`/forms/${identifier}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Settings(props: ChangePageProps) {
  const { clients } = props;
  const { groups } = change;
  return (
    <>
      <section>
        <h2>{groups.emails}</h2>
        <Switch {...props} name="notify_owner_on_submission" on={change.on} off={change.off} />
        <Clearable {...props} name="notify_owner_emails" />
      </section>
      <section>
        <h2>{groups.addresses}</h2>
        <Clearable {...props} name="webhook_url" />
        <Clearable {...props} name="redirect_url" />
      </section>
      <section>
        <h2>{groups.domains}</h2>
        <Clearable {...props} name="whitelisted_domains" />
      </section>
      <section>
        <h2>{groups.retention}</h2>
        <Clearable {...props} name="retention_days" />
      </section>
      <section>
        <h2>{groups.intake}</h2>
        <Switch {...props} name="paused" on={change.pause} off={change.open} />
      </section>
      {clients.length > 0 && (
        <section>
          <h2>{groups.clients}</h2>
          <Client {...props} name="grant_to" />
          <Client {...props} name="withdraw_from" />
        </section>
      )}
    </>
  );
}

/** Draws a setting that is typed, and a box that clears it. */
function Clearable(props: ChangePageProps & { name: (typeof TEXTS)[number] }) {
  const { name, typed, problems } = props;
  const isNumber = name === 'retention_days';
  return (
    <>
      <Field
        name={SETTINGS + name}
        label={change.settings[name]}
        hint={change.hints[name]}
        value={textOf(typed, SETTINGS + name)}
        problems={problems}
        inputmode={isNumber ? 'numeric' : 'text'}
        autocomplete="off"
      />
      <Check
        name={CLEAR + name}
        label={change.clears[name]}
        checked={isTicked(typed, CLEAR + name)}
      />
    </>
  );
}

/** Draws a setting that is yes, no, or left as it is. */
function Switch(
  props: ChangePageProps & {
    name: 'notify_owner_on_submission' | 'paused';
    on: string;
    off: string;
  },
) {
  const { name, typed, on, off } = props;
  return (
    <Select
      name={SETTINGS + name}
      label={change.settings[name]}
      value={textOf(typed, SETTINGS + name)}
      options={[
        { value: '', label: change.unchanged },
        { value: 'true', label: on },
        { value: 'false', label: off },
      ]}
    />
  );
}

function Client(props: ChangePageProps & { name: (typeof GRANTS)[number] }) {
  const { name, typed, clients } = props;
  const options = clients.map((client) => ({ value: String(client.id), label: client.name }));
  return (
    <Select
      name={SETTINGS + name}
      label={change.settings[name]}
      value={textOf(typed, SETTINGS + name)}
      options={[{ value: '', label: change.noClient }, ...options]}
    />
  );
}

function labelOf(field: string): string {
  const known: Record<string, string | undefined> = change.settings;
  return known[field.replace(SETTINGS, '')] ?? field;
}
