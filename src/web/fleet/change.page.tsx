import type { FormSummary } from '../../forms/form-queries.service.js';
import { FORMS_CHANGED_MAX, type Difference, type FormFate } from '../../reports/fleet/fleet-change.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  ActionForm,
  Check,
  LinkButton,
  Select,
  Actions,
  Button,
  Fold,
  Empty,
  Notice,
  Table,
  Section,
  isTicked,
  textOf,
  type Typed,
  Carried,
  SettingInput,
} from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { fleetWords, CLEAR, FORMS, ON_PAGE, PREFIX, settingLabel, GRANTS } from './change-typed.js';
import { formHeadWords } from '../form-head/form-head.js';
import { SECTIONS } from '../../forms/model/setting.js';
import type { DeclaredSetting } from '../../forms/model/setting-groups.js';
import { formWords } from '../forms/words.js';

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
    <Page title={title} section="forms" up={UP}>
      {forms.length === 0 ? (
        <Empty icon="clipboard-list" title={change.none}>
          <p>Select forms in the list, or change all that a filter shows.</p>
          <LinkButton href="/forms">{change.back}</LinkButton>
        </Empty>
      ) : (
        <>
          {total > forms.length && <p>{change.cut(FORMS_CHANGED_MAX, total)}</p>}
          <p class="hint">
            What you leave empty stays as it is in each form. You see every difference before anything changes.
          </p>
          <Names forms={forms} />
          <ActionForm
            action="/change-forms"
            problems={problems}
            labelOf={labelOf}
            class="settings wide"
            submit="Preview changes"
          >
            <input type="hidden" name={FORMS} value={forms.map(({ identifier }) => identifier).join(',')} />
            <Settings {...props} />
          </ActionForm>
        </>
      )}
    </Page>
  );
}

function Names({ forms }: Pick<ChangePageProps, 'forms'>) {
  return (
    <Fold title="Show these forms">
      <ul class="names">
        {forms.map(({ name, identifier }) => (
          <li>
            <a dir="auto" href={`/forms/${identifier}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function Settings(props: ChangePageProps) {
  const { clients } = props;
  return (
    <>
      {SECTIONS.map((section) => {
        const within = ON_PAGE.filter(({ declared }) => declared.page?.section === section);
        return (
          within.length > 0 && (
            <Section title={formWords.sections[section]}>
              {within.map((each) => (
                <Setting {...props} setting={each} />
              ))}
            </Section>
          )
        );
      })}
      {clients.length > 0 && (
        <Section title="Clients">
          <Client {...props} name="grant_to" />
          <Client {...props} name="withdraw_from" />
        </Section>
      )}
    </>
  );
}

/** Draws a setting, and a box that clears it where that is possible. */
function Setting(props: ChangePageProps & { setting: DeclaredSetting }) {
  const { typed, setting } = props;
  const { key: name, declared } = setting;
  const { page, shape, isNullable } = declared;
  return (
    <>
      <SettingInput
        {...{ name: PREFIX + name, control: shape.control, unchanged: 'Leave as it is' }}
        {...{ label: page?.label ?? name, hint: page?.hint, choices: page?.choices }}
        value={textOf(typed, PREFIX + name)}
        states={[change.on, change.off]}
      />
      {isNullable && shape.control !== 'flag' && (
        <Check name={CLEAR + name} label="Clear it in all of these forms" checked={isTicked(typed, CLEAR + name)} />
      )}
    </>
  );
}

function Client(props: ChangePageProps & { name: (typeof GRANTS)[number] }) {
  const { name, typed, clients } = props;
  const options = clients.map((client) => ({ value: String(client.id), label: client.name }));
  return (
    <Select
      name={PREFIX + name}
      label={change.grants[name]}
      value={textOf(typed, PREFIX + name)}
      options={[{ value: '', label: 'None' }, ...options]}
    />
  );
}

/** Returns the label of an input by its name. */
function labelOf(field: string) {
  return settingLabel(field.replace(PREFIX, ''));
}

/** Names of the buttons, which are not carried on. */
const BUTTONS: ReadonlySet<string> = new Set(['apply', 'edit']);

/** Settings that are lists, which commas divide. */
const LISTS: ReadonlySet<string> = new Set(['notify_owner_emails', 'whitelisted_domains']);

export interface FatesPageProps {
  fates: FormFate[];
  /** Clients that can get and lose forms. */
  clients: readonly { id: number; name: string }[];
  typed: Typed | undefined;
  /** Whether the change was made; else it would be. */
  isApplied: boolean;
}

/** Draws the differences that a change makes of several forms, or made. */
export function FatesPage({ fates, clients, typed, isApplied }: FatesPageProps) {
  const title = isApplied ? 'Result' : change.previewTitle;
  const of = (state: FormFate['state']) => fates.filter((fate) => fate.state === state);
  const [changed, unchanged, refused] = [of('changed'), of('unchanged'), of('refused')];
  const said = isApplied ? change.did : change.will;
  return (
    <Page title={title} section="forms" up={UP}>
      {isApplied && (
        <Notice kind={refused.length > 0 ? 'warn' : 'good'}>
          <p>
            {[said.changed(changed.length), said.unchanged(unchanged.length), said.refused(refused.length)].join(' · ')}
          </p>
        </Notice>
      )}
      {!isApplied && changed.length === 0 && <p>No form would change.</p>}
      {changed.length > 0 && (
        <Section title={said.changed(changed.length)}>
          <Differences {...{ changed, clients }} />
        </Section>
      )}
      {refused.length > 0 && (
        <Section title={said.refused(refused.length)}>
          <Refused refused={refused} />
        </Section>
      )}
      {unchanged.length > 0 && (
        <Fold title={said.unchanged(unchanged.length)}>
          <ul class="names">
            {unchanged.map(({ form }) => (
              <li>
                <Name form={form} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {isApplied ? (
        <LinkButton href="/forms" kind="primary">
          {change.back}
        </LinkButton>
      ) : (
        <ActionForm action="/change-forms">
          <Carried typed={typed} but={BUTTONS} />
          <Actions>
            {changed.length > 0 && (
              <Button name="apply" value="true">
                {change.apply(changed.length)}
              </Button>
            )}
            <Button kind="plain" name="edit" value="true">
              Edit the change
            </Button>
          </Actions>
        </ActionForm>
      )}
    </Page>
  );
}

function Name({ form: { name, identifier } }: Pick<FormFate, 'form'>) {
  if (name === '') return `Unknown form ${identifier}`;
  return (
    <a dir="auto" href={`/forms/${identifier}`}>
      {name}
    </a>
  );
}

function Differences(props: { changed: FormFate[] } & Pick<FatesPageProps, 'clients'>) {
  const { changed, clients } = props;
  const nameOf = (id: number) => clients.find((client) => client.id === id)?.name ?? `#${id}`;
  return (
    <div class="panel">
      <table class="differences">
        <caption>{change.previewTitle}</caption>
        <thead>
          <tr>
            <th scope="col">{change.form}</th>
            <th scope="col">Setting</th>
            <th scope="col">{change.before}</th>
            <th scope="col">{change.after}</th>
          </tr>
        </thead>
        {changed.map(({ form, differences }) => (
          <tbody>
            {differences.map((difference, index) => (
              <tr>
                {index === 0 && (
                  <th scope="rowgroup" rowspan={differences.length}>
                    <Name form={form} />
                  </th>
                )}
                <td>{settingLabel(difference.setting)}</td>
                <td class="quiet value" data-label={change.before} dir="auto">
                  {valueOf(difference, difference.before, nameOf)}
                </td>
                <td class="value" data-label={change.after} dir="auto">
                  {valueOf(difference, difference.after, nameOf)}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Refused({ refused }: { refused: FormFate[] }) {
  return (
    <Table caption={change.did.refused(refused.length)} head={[change.form, 'Reason']}>
      {refused.map(({ form, error }) => (
        <tr>
          <th scope="row">
            <Name form={form} />
          </th>
          <td class="wide">{error?.message}</td>
        </tr>
      ))}
    </Table>
  );
}

function valueOf({ setting }: Difference, value: Difference['after'], nameOf: (id: number) => string) {
  if (value === null) return 'Not set';
  if (GRANTS.some((name) => name === setting)) return nameOf(Number(value));
  if (typeof value === 'boolean') return value ? change.on : change.off;
  return LISTS.has(setting) ? String(value).replaceAll(',', ', ') : String(value);
}
