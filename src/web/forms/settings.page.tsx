import { FormShell, type FormShown } from '../form-head/form-head.js';
import { formWords } from './words.js';
import { ThanksPreview } from '../previews/mail-frame.page.js';
import { GroupForm, type SettingValues } from './opening.page.js';
import { ActionForm, Button, Actions, Field } from '../parts/controls.js';
import { Time, State, Table } from '../parts/content.js';
import { inboxAddress } from '../addresses/folders.js';
import { filterPart } from '../../submissions/filter/filter-line.js';

interface GeneralPageProps extends SettingValues {
  form: FormShown;
  /** Submissions that are deleted with the form. */
  count: number;
}

/** Name of the field that confirms that the form is deleted. */
const DELETES = 'typed_name';

/** Draws the name of a form, and the buttons that duplicate and delete it. */
export function GeneralPage(props: GeneralPageProps) {
  const { form, count, refused } = props;
  const said = formWords;
  const here = `/forms/${form.identifier}`;
  const ofName = refused?.problems.filter(({ field }) => field !== DELETES);
  const problems = refused?.problems.filter(({ field }) => field === DELETES) ?? [];
  return (
    <FormShell form={form} title={said.settings} tab="settings" part="general">
      <div class="halves">
        <GroupForm
          {...props}
          group="general"
          action={`${here}/settings`}
          refused={ofName ? { group: 'general', problems: ofName } : null}
        />
        <section>
          <h2>{said.duplicate}</h2>
          <p class="hint">{said.duplicateHint}</p>
          <ActionForm action={`${here}/duplicates`}>
            <Button kind="plain" icon="copy-plus">
              {said.duplicate}
            </Button>
          </ActionForm>
        </section>
      </div>
      {form.mayErase && (
        <section class="apart">
          <h2>{said.delete}</h2>
          <p class="hint">{said.deleteHint(count)}</p>
          <ActionForm action={`${here}/delete`}>
            <Field
              {...{ name: DELETES, label: said.typeName(form.name), problems }}
              value=""
              autocomplete="off"
            />
            <Actions>
              <Button kind="danger" icon="trash-2">
                {said.delete}
              </Button>
            </Actions>
          </ActionForm>
        </section>
      )}
    </FormShell>
  );
}

interface GroupPageProps extends SettingValues {
  form: FormShown;
}

/** Draws what visitors see after submitting. */
export function ThankYouPage(props: GroupPageProps) {
  const { form } = props;
  return (
    <FormShell form={form} title={formWords.groups.thanks} tab="settings" part="thanks">
      <GroupForm {...props} group="thanks" action={`/forms/${form.identifier}/thank-you`}>
        <ThanksPreview identifier={form.identifier} />
      </GroupForm>
    </FormShell>
  );
}

/** Draws the sites from which a form may be sent, and those from which it was. */
export function DomainsPage(props: GroupPageProps & { origins: OriginRow[] }) {
  const { form, origins } = props;
  return (
    <FormShell form={form} title={formWords.groups.domains} tab="settings" part="domains">
      <GroupForm {...props} group="domains" action={`/forms/${form.identifier}/domains`} />
      <Origins identifier={form.identifier} rows={origins} />
    </FormShell>
  );
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
    <section class="apart" id="s-origins">
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
