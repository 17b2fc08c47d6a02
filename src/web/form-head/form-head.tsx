import type { ComponentChildren } from 'preact';
import { Injectable } from '@nestjs/common';
import { Age, PageHead, Icon, Tabs } from '../parts/index.js';
import { Shell } from '../layout/shell.js';
import type { Principal } from '../../accounts/access/index.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { Clock, DAY_MS, MINUTE_MS } from '../../platform/index.js';
import { InboxService } from '../../search/inbox/inbox.service.js';

/** Words above every page of a form. */
export const formHeadWords = {
  list: 'Forms',
  shut: { form_paused: 'Paused', form_not_open_yet: 'Not open yet', form_closed: 'Closed', form_full: 'Full' },
} as const;

type Tab = 'inbox' | 'setup' | 'activity' | 'settings';

/** A page of a form. */
interface FormPlace {
  /** Behind the address of the form. */
  path: string;
  name: string;
  /** Other words by which people look for it. */
  words: string;
  /** Absent: everybody who sees the form may open it. */
  needs?: keyof FormRights;
}

const TABS: Record<Tab, FormPlace> = {
  inbox: { path: '', name: 'Inbox', words: 'submissions messages newest' },
  setup: { path: '/setup', name: 'Setup', words: 'set up snippet html install test' },
  activity: {
    ...{ path: '/activity', name: 'Activity' },
    words: 'statistics charts received refused watch monitoring alerts canary check',
    needs: 'mayCount',
  },
  settings: { path: '/settings', name: 'Settings', words: 'options', needs: 'mayChange' },
};

/** The sections of the page of settings, and the page behind one. */
const SECTIONS: FormPlace[] = [
  {
    ...{ path: '/settings#notifications', name: 'Notifications', needs: 'mayChange' },
    words: 'email webhook slack teams discord telegram destinations recipients autoresponder',
  },
  {
    ...{ path: '/settings#visitors', name: 'What visitors see', needs: 'mayChange' },
    words: 'thank you thank-you thanks page redirect message colors closed',
  },
  {
    ...{ path: '/settings#fields', name: 'Fields', needs: 'mayChange' },
    words: 'labels names order rules required validation inbox preview rows choices',
  },
  { ...{ path: '/settings#spam', name: 'Spam', needs: 'mayChange' }, words: 'allowed domains websites level' },
  { ...{ path: '/spam', name: 'Fine-tune spam', needs: 'mayChange' }, words: 'captcha blocklist signals honeypot' },
  {
    ...{ path: '/settings#keep', name: 'Keep and close', needs: 'mayChange' },
    words: 'retention availability pause open close limit delete days duplicate copy schedule',
  },
  { path: '/import', name: 'Import', words: 'csv bring submissions', needs: 'mayImport' },
  { path: '/submissions/export', name: 'Export', words: 'download csv excel', needs: 'mayCount' },
];

/** All pages of a form that may be looked for by name. */
export const FORM_PLACES: readonly FormPlace[] = [...Object.values(TABS), ...SECTIONS];

/** Draws a page of a form below its head. */
export function FormShell(props: { form: FormShown; title: string; tab: Tab; children: ComponentChildren }) {
  const { form, title, tab, children } = props;
  return (
    <Shell title={`${title} · ${form.name}`} section="forms">
      <FormHead form={form} tab={tab} />
      {children}
    </Shell>
  );
}

/** Draws the head of every page of a form: its name, state and address, and the tabs that the reader may open. */
export function FormHead({ form, tab }: { form: FormShown; tab: Tab }) {
  return (
    <div class="form-head">
      <PageHead title={form.name} up={{ href: '/forms', label: formHeadWords.list }} state={<FormState {...form} />}>
        <code id="form-address">{form.address}</code>
        <button type="button" class="button plain" data-copy="form-address" hidden>
          <Icon name="copy" /> <span>Copy address</span>
        </button>
      </PageHead>
      <Tabs
        label="Pages of this form"
        tabs={Object.entries(TABS)
          .filter(([, { needs }]) => needs === undefined || form[needs])
          .map(([key, { name, path }]) => {
            return { name, href: `/forms/${form.identifier}${path}`, isNow: key === tab };
          })}
      />
    </div>
  );
}

/** Draws the views of all forms, as tabs. */
export function FormsTabs({ now }: { now: 'list' | 'statistics' }) {
  return (
    <Tabs
      label="Views of all forms"
      tabs={[
        { href: '/forms', name: 'List', isNow: now === 'list' },
        { href: '/statistics', name: 'Statistics', isNow: now === 'statistics' },
      ]}
    />
  );
}

/** Draws whether a form takes submissions, and when the last one came. */
function FormState({ identifier, mayChange, shut, lastAt }: FormShown) {
  const known: Record<string, string | undefined> = formHeadWords.shut;
  if (shut !== null) {
    const said = known[shut] ?? shut;
    if (!mayChange) return <span class="chip shut">{said}</span>;
    const here = `/forms/${identifier}/settings#keep`;
    return (
      <a class="chip shut" href={here}>
        {said}
      </a>
    );
  }
  if (lastAt === null) return <span class="chip">No submissions yet</span>;
  const age = Date.now() - lastAt.getTime();
  return (
    <span class="chip">
      <span class="dot good" aria-hidden="true" />
      <span>
        Receiving, last {age < MINUTE_MS ? 'seconds ago' : <Age at={lastAt} />}
        {age >= MINUTE_MS && age < DAY_MS && ' ago'}
      </span>
    </span>
  );
}

/** The parts of a form's pages that somebody may open. */
interface FormRights {
  /** Whether the reader may change the form, delete submissions, and see how many there were. */
  mayChange: boolean;
  mayErase: boolean;
  mayImport: boolean;
  mayCount: boolean;
}

/** Returns what somebody may open of the pages of a form. */
export function rightsIn(principal: Principal, form: Pick<Form, 'madeByClientId'>): FormRights {
  return {
    mayChange: mayChange(principal, form),
    mayErase: principal.may('erase'),
    mayImport: principal.has('forms:write') && principal.may('triage'),
    mayCount: principal.has('submissions:read') && principal.may('see'),
  };
}

/** A form as the head of its pages shows it. */
export interface FormShown extends FormRights {
  name: string;
  identifier: string;
  /** The public address that takes submissions. */
  address: string;
  /** Code of why it takes no submissions; null if it takes them. */
  shut: string | null;
  /** When the newest submission came; null without any, and for who may not see them. */
  lastAt: Date | null;
}

/** A form, as its head is made from. */
export type HeadedForm = Pick<
  Form,
  'id' | 'accountId' | 'name' | 'identifier' | 'madeByClientId' | 'intakeGate' | 'submissionCount'
>;

/** Tells what the head above every page of a form shows, and which of its tabs somebody may open. */
@Injectable()
export class FormHeads {
  constructor(
    private readonly brands: BrandsService,
    private readonly inbox: InboxService,
    private readonly clock: Clock,
  ) {}

  async of(principal: Principal, form: HeadedForm): Promise<FormShown> {
    const { id, name, identifier } = form;
    const rights = rightsIn(principal, form);
    const [{ baseUrl }, latest] = await Promise.all([
      this.brands.ofForm(form),
      rights.mayCount && form.submissionCount > 0 ? this.inbox.latest([form]) : null,
    ]);
    const shut = IntakeGate.of(form).closedFor(form, this.clock.now());
    return {
      ...{ name, identifier, address: `${baseUrl}/f/${identifier}` },
      ...rights,
      shut: shut?.code ?? null,
      lastAt: latest?.get(id) ?? null,
    };
  }
}

/** Words above every page of a client. */
export const clientHeadWords = { list: 'Clients' } as const;

const CLIENT_TABS = {
  overview: { path: '', name: 'Overview' },
  forms: { path: '/forms', name: 'Forms' },
  people: { path: '/people', name: 'People' },
  look: { path: '/brand', name: 'Look' },
  report: { path: '/report', name: 'Report' },
} as const;

/** Draws a page of a client below its name and tabs. */
export function ClientShell(props: {
  client: { id: number; name: string };
  title?: string;
  tab: keyof typeof CLIENT_TABS;
  children: ComponentChildren;
}) {
  const { client, title, tab, children } = props;
  return (
    <Shell title={`${title ?? CLIENT_TABS[tab].name} · ${client.name}`} section="clients">
      <div class="form-head">
        <PageHead title={client.name} up={{ href: '/clients', label: clientHeadWords.list }} />
        <Tabs
          label="Pages of this client"
          tabs={Object.entries(CLIENT_TABS).map(([key, { path, name }]) => {
            return { name, href: `/clients/${client.id}${path}`, isNow: key === tab };
          })}
        />
      </div>
      {children}
    </Shell>
  );
}
