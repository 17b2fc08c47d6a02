import type { FormSummary } from '../../forms/form-queries.service.js';
import { FORMS_CHANGED_MAX } from '../../reports/fleet/fleet-change.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Check, LinkButton, Select } from '../parts/controls.js';
import { Fold, Empty } from '../parts/content.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { Page } from '../layout/shell.js';
import { fleetWords } from './words.js';
import { formHeadWords } from '../form-head/form-head.js';
import { CLEAR, FORMS, ON_PAGE, PREFIX, settingLabel, type GRANTS } from './change-typed.js';
import { SECTIONS } from '../../forms/model/setting.js';
import type { DeclaredSetting } from '../../forms/model/setting-groups.js';
import { SettingInput } from '../parts/setting.js';
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
            What you leave empty stays as it is in each form. You see every difference before
            anything changes.
          </p>
          <Names forms={forms} />
          <ActionForm
            action="/change-forms"
            problems={problems}
            labelOf={labelOf}
            class="settings wide"
            submit="Preview changes"
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
            <section>
              <h2>{formWords.sections[section]}</h2>
              {within.map((each) => (
                <Setting {...props} setting={each} />
              ))}
            </section>
          )
        );
      })}
      {clients.length > 0 && (
        <section>
          <h2>Clients</h2>
          <Client {...props} name="grant_to" />
          <Client {...props} name="withdraw_from" />
        </section>
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
        <Check
          name={CLEAR + name}
          label="Clear it in all of these forms"
          checked={isTicked(typed, CLEAR + name)}
        />
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
function labelOf(field: string): string {
  return settingLabel(field.replace(PREFIX, ''));
}
