import type { ComponentChildren } from 'preact';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { formWords } from './words.js';
import { ThanksPreview } from '../previews/mail-frame.page.js';
import { useFrame } from '../layout/shell.js';
import { SettingInput } from '../parts/setting.js';
import { SETTINGS, type DeclaredSetting } from '../../forms/model/setting-groups.js';
import type { Section } from '../../forms/model/setting.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ON_PAGE, PREFIX, SEEN, type SettingTexts } from './settings-typed.js';
import { ActionForm, Button, Actions, Field } from '../parts/controls.js';
import { Time, State, Table } from '../parts/content.js';
import { inboxAddress } from '../addresses/folders.js';
import { filterPart } from '../../submissions/filter/filter-line.js';

export interface SettingsPageProps {
  form: FormShown;
  texts: SettingTexts;
  /** Digests of what the page shows of each setting. */
  seen: string;
  problems: FieldProblem[];
  /** Sentence that visitors read now; null while the form is open. */
  shut: string | null;
  /** Submissions so far, without spam. */
  count: number;
  origins: OriginRow[];
}

/** Name of the field that confirms that the form is deleted. */
const DELETES = 'typed_name';

/** Draws all settings of a form: one form with one button that saves them, and what is done to the form itself below. */
export function SettingsPage(props: SettingsPageProps) {
  const { form, problems } = props;
  const here = `/forms/${form.identifier}`;
  const ofDeletion = problems.filter(({ field }) => field === DELETES);
  const { sections } = formWords;
  return (
    <FormShell form={form} title={formWords.settings} tab="settings" part="general">
      <div class="settings-page">
        <nav class="settings-index" aria-label={formWords.sectionsLabel}>
          {Object.entries(sections)
            .filter(([section]) => SHOWN.has(section as Section))
            .map(([section, title]) => (
              <a href={`#${section}`}>{title}</a>
            ))}
        </nav>
        <div class="settings-body">
          <ActionForm
            action={`${here}/settings`}
            problems={problems.filter(({ field }) => field !== DELETES)}
            labelOf={(field) => labelOf(field.replace(PREFIX, ''))}
            class="settings-form"
          >
            <input type="hidden" name={SEEN} value={props.seen} />
            <Section {...props} section="general" />
            <Section {...props} section="visitors">
              <ThanksPreview identifier={form.identifier} />
            </Section>
            <Section {...props} section="spam" />
            <Section {...props} section="keep" />
            <div class="save-bar" data-changes={formWords.unsaved}>
              <output />
              <Actions>
                <Button>{formWords.save}</Button>
                <button type="reset" class="button plain" hidden>
                  {formWords.discard}
                </button>
              </Actions>
            </div>
          </ActionForm>
          <Origins identifier={form.identifier} rows={props.origins} />
          <section class="apart">
            <h2>{formWords.duplicate}</h2>
            <p class="hint">{formWords.duplicateHint}</p>
            <ActionForm action={`${here}/duplicates`}>
              <Button kind="plain" icon="copy-plus">
                {formWords.duplicate}
              </Button>
            </ActionForm>
          </section>
          {form.mayErase && <Deletion {...props} problems={ofDeletion} />}
        </div>
      </div>
    </FormShell>
  );
}

function Deletion({ form, count, problems }: SettingsPageProps) {
  return (
    <section class="apart">
      <h2>{formWords.delete}</h2>
      <p class="hint">{formWords.deleteHint(count)}</p>
      <ActionForm action={`/forms/${form.identifier}/delete`}>
        <Field
          {...{ name: DELETES, label: formWords.typeName(form.name), problems }}
          value=""
          autocomplete="off"
        />
        <Actions>
          <Button kind="danger" icon="trash-2">
            {formWords.delete}
          </Button>
        </Actions>
      </ActionForm>
    </section>
  );
}

const SHOWN: ReadonlySet<Section> = new Set(
  ON_PAGE.flatMap(({ declared }) => declared.page?.section ?? []),
);

/** Draws the settings of a section; those beside one another share a line. */
function Section(props: SettingsPageProps & { section: Section; children?: ComponentChildren }) {
  const { section, form, shut } = props;
  const lines: DeclaredSetting[][] = [];
  for (const setting of ON_PAGE) {
    const { page } = setting.declared;
    const isForbidden = setting.group.routes?.allows === 'erase' && !form.mayErase;
    if (page?.section !== section || isForbidden) continue;
    if (page.isBeside === true) lines.at(-1)?.push(setting);
    else lines.push([setting]);
  }
  return (
    <section id={section}>
      <h2>{formWords.sections[section]}</h2>
      {section === 'keep' && shut !== null && (
        <p>
          {formWords.isShut} <q dir="auto">{shut}</q>
        </p>
      )}
      {lines.map((line) =>
        line.length === 1 ? (
          line.map((setting) => <Setting {...props} setting={setting} />)
        ) : (
          <div class="pair">
            {line.map((setting) => (
              <Setting {...props} setting={setting} />
            ))}
          </div>
        ),
      )}
      {props.children}
    </section>
  );
}

function Setting(props: SettingsPageProps & { setting: DeclaredSetting }) {
  const { setting, texts, problems, count } = props;
  const { timeZone } = useFrame();
  const { key, declared } = setting;
  const { page, shape } = declared;
  const more = {
    ...(shape.control === 'moment' && { zone: formWords.inZone(timeZone) }),
    ...(key === 'max_submissions' && { count: formWords.soFar(count) }),
  };
  return (
    <SettingInput
      {...{ name: PREFIX + key, problems, control: shape.control, value: texts[key] ?? '' }}
      {...{ label: page?.label ?? key, choices: page?.choices, required: key === 'name' }}
      hint={[page?.hint, ...Object.values(more)].filter(Boolean).join(' ')}
    />
  );
}

function labelOf(key: string): string {
  return SETTINGS.get(key)?.declared.page?.label ?? key;
}

/** Where submissions came from lately. */
interface OriginRow {
  /** Such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The entry of the allowed domains that takes it; null when there can be none. */
  domain: string | null;
  isAllowed: boolean;
  submissions: number;
  lastAt: Date;
}

/** Draws where submissions came from, with a button that allows what is refused. */
function Origins({ identifier, rows }: { identifier: string; rows: OriginRow[] }) {
  const { origins } = formWords;
  const spam = inboxAddress(`${filterPart('form', identifier)} is:spam`);
  return (
    <section class="apart" id="origins">
      <h2>{origins.title}</h2>
      <p class="hint">{rows.length === 0 ? origins.empty : origins.hint}</p>
      {rows.length > 0 && (
        <div class="panel">
          <Table
            caption={origins.title}
            head={[
              origins.origin,
              origins.verdict,
              { number: origins.count },
              { number: origins.last },
            ]}
          >
            {rows.map((row) => (
              <Row identifier={identifier} {...row} />
            ))}
          </Table>
        </div>
      )}
      {rows.some(({ isAllowed }) => !isAllowed) && (
        <p class="hint">
          {origins.kept} <a href={spam}>{origins.toSpam}</a>
        </p>
      )}
    </section>
  );
}

function Row(props: OriginRow & { identifier: string }) {
  const { origin, domain, isAllowed, submissions, lastAt, identifier } = props;
  const { origins } = formWords;
  return (
    <tr>
      <th scope="row">{origin ?? origins.unknown}</th>
      <td class="wide">
        {isAllowed ? (
          <State kind="good">{origins.allowed}</State>
        ) : (
          <div class="refused">
            <State kind="warn">{origins.refused}</State>
            {domain !== null && (
              <ActionForm action={`/forms/${identifier}/origins`}>
                <input type="hidden" name="domain" value={domain} />
                <Button kind="plain" icon="plus">
                  {origins.allow(domain)}
                </Button>
              </ActionForm>
            )}
          </div>
        )}
      </td>
      <td class="number" data-label={origins.count}>
        {submissions.toLocaleString('en')}
      </td>
      <td class="number quiet" data-label={origins.last}>
        <Time at={lastAt} />
      </td>
    </tr>
  );
}
