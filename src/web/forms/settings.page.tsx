import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { fieldWords, formWords } from './words.js';
import { ThanksPreview } from '../previews/mail-frame.page.js';
import { useFrame } from '../layout/shell.js';
import {
  SettingInput,
  ActionForm,
  Actions,
  Button,
  Copyable,
  Field,
  LinkButton,
  QrCode,
  Select,
} from '../parts/index.js';
import { SETTINGS, type DeclaredSetting } from '../../forms/model/setting-groups.js';
import type { Section } from '../../forms/model/setting.js';
import type { FieldProblem } from '../../platform/index.js';
import { ON_PAGE, PREFIX, SEEN, type SettingTexts } from './settings-typed.js';
import type { Field as FormField } from '../../forms/model/field.js';
import type { Bands } from '../../spam/evidence/verdict.js';
import type { SpamStatistics } from '../../statistics/spam-statistics.service.js';
import { Notifications, type DestinationsPageProps } from '../destinations/destinations.page.js';
import { Levels } from '../spam/spam.page.js';
import { spamWords } from '../spam/spam.js';
import { TranslationLinks } from './translations.page.js';
import { FieldList } from './fields.page.js';

export interface SettingsPageProps {
  form: FormShown;
  texts: SettingTexts;
  /** Digests of what the page shows of each setting. */
  seen: string;
  problems: FieldProblem[];
  /** Sentence that visitors read now; null while the form is open. */
  shut: string | null;
  /** Languages that the owner's texts are given in. */
  translated: readonly string[];
  /** Whether the form has a page of its own now. */
  hasPage: boolean;
  /** Submissions so far, without spam. */
  count: number;
  destinations: DestinationsPageProps;
  fields: readonly FormField[];
  spam: { settings: Bands; would: SpamStatistics['levels'] };
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
    <FormShell form={form} title="Settings" tab="settings">
      <div class="settings-page">
        <nav class="settings-index" aria-label="Settings on this page">
          {Object.entries(sections).map(([section, title]) => (
            <a href={`#${section}`}>{title}</a>
          ))}
        </nav>
        <div class="settings-body">
          <Notifications {...props.destinations} />
          <ActionForm
            action={`${here}/settings`}
            problems={problems.filter(({ field }) => field !== DELETES)}
            labelOf={(field) => labelOf(field.replace(PREFIX, ''))}
            class="settings-form"
          >
            <input type="hidden" name={SEEN} value={props.seen} />
            <Section {...props} section="general" />
            <Section {...props} section="visitors">
              <TranslationLinks form={form} given={props.translated} />
              <ThanksPreview identifier={form.identifier} />
            </Section>
            <section id="fields">
              <h2>{sections.fields}</h2>
              <FieldList form={form} fields={props.fields} />
              <Select
                {...{ name: `${PREFIX}on_failure`, label: 'When a submission breaks a rule of a field' }}
                value={props.texts.on_failure ?? ''}
                options={fieldWords.actions}
              />
            </section>
            <Section {...props} section="page">
              {props.hasPage && <PageShared {...form} />}
            </Section>
            <Section {...props} section="spam">
              <Levels {...{ name: `${PREFIX}spam_level`, chosen: props.texts.spam_level ?? '' }} {...props.spam} />
              <LinkButton href={`${here}/spam`} icon="settings">
                {spamWords.tune}
              </LinkButton>
            </Section>
            <Section {...props} section="keep" />
            <div class="save-bar" data-changes="unsaved changes">
              <output />
              <Actions>
                <Button>{formWords.save}</Button>
                <button type="reset" class="button plain" hidden>
                  Discard
                </button>
              </Actions>
            </div>
          </ActionForm>
          <section class="apart">
            <h2>{formWords.duplicate}</h2>
            <p class="hint">The copy has the same settings and field names, its own address and no submissions.</p>
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

/** Draws how the page of a form gets to visitors: by its address, as a QR code, and within a page of a website. */
function PageShared({ address, identifier, name }: FormShown) {
  const frame = renderToString(<iframe src={address} title={name} width="100%" height="720" loading="lazy" />);
  return (
    <>
      <p>
        <a href={address}>{address}</a>
      </p>
      <QrCode text={address} alt={`QR code of ${address}`} file={`form-${identifier}`} />
      <p class="hint">Or embed the page in another one. Only the allowed websites can, if you name some.</p>
      <Copyable id="embed" text={frame} />
    </>
  );
}

function Deletion({ form, count, problems }: SettingsPageProps) {
  return (
    <section class="apart">
      <h2>{formWords.delete}</h2>
      <p class="hint">{formWords.deleteHint(count)}</p>
      <ActionForm action={`/forms/${form.identifier}/delete`}>
        <Field {...{ name: DELETES, label: `Type “${form.name}” to confirm`, problems }} value="" autocomplete="off" />
        <Actions>
          <Button kind="danger" icon="trash-2">
            {formWords.delete}
          </Button>
        </Actions>
      </ActionForm>
    </section>
  );
}

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
          This form is closed. Visitors see: <q dir="auto">{shut}</q>
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
    ...(shape.control === 'moment' && { zone: `In your time zone, ${timeZone}.` }),
    ...(key === 'max_submissions' && { count: `So far: ${count.toLocaleString('en')}.` }),
  };
  return (
    <SettingInput
      {...{ name: PREFIX + key, problems, control: shape.control, value: texts[key] ?? '' }}
      {...{ label: page?.label ?? key, choices: page?.choices, noneWord: page?.none, required: key === 'name' }}
      hint={[page?.hint, ...Object.values(more)].filter(Boolean).join(' ')}
    />
  );
}

function labelOf(key: string) {
  return SETTINGS.get(key)?.declared.page?.label ?? key;
}
