import type { ComponentChildren } from 'preact';
import { Injectable } from '@nestjs/common';
import { PageHead, Icon } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import type { Principal } from '../../access/principal.js';
import { BrandsService } from '../../brands/brands.service.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';

/** Words above every page of a form. */
export const formHeadWords = {
  list: 'Forms',
  copyAddress: 'Copy address',
  tabs: {
    label: 'Pages of this form',
    names: {
      submissions: 'Submissions',
      setup: 'Set up',
      notifications: 'Notifications',
      spam: 'Spam',
      settings: 'Settings',
      statistics: 'Statistics',
      watch: 'Watch',
    },
  },
  parts: {
    label: 'Parts of this page',
    names: {
      general: 'General',
      thanks: 'Thank-you page',
      domains: 'Allowed domains',
      fields: 'Field names',
      rules: 'Field rules',
      opening: 'Open and closed',
      preview: 'Inbox preview',
      retention: 'Retention',
      aliases: 'Old ids',
      import: 'Import',
    },
  },
} as const;

type Tab = keyof typeof formHeadWords.tabs.names;
type Part = keyof typeof formHeadWords.parts.names;

interface Place<Name> {
  name: Name;
  /** Behind the address of the form. */
  path: string;
  /** Absent: everybody who sees the form may open it. */
  needs?: 'mayChange' | 'mayErase' | 'mayImport' | 'mayCount';
}

const TABS: Place<Tab>[] = [
  { name: 'submissions', path: '' },
  { name: 'setup', path: '/setup' },
  { name: 'notifications', path: '/notifications', needs: 'mayChange' },
  { name: 'spam', path: '/spam', needs: 'mayChange' },
  { name: 'settings', path: '/settings', needs: 'mayChange' },
  { name: 'statistics', path: '/statistics', needs: 'mayCount' },
  { name: 'watch', path: '/watch', needs: 'mayCount' },
];

/** The pages of a tab that has several. */
const PARTS: Partial<Record<Tab, Place<Part>[]>> = {
  settings: [
    { name: 'general', path: '/settings' },
    { name: 'thanks', path: '/thank-you' },
    { name: 'domains', path: '/domains' },
    { name: 'fields', path: '/labels' },
    { name: 'rules', path: '/rules' },
    { name: 'opening', path: '/intake' },
    { name: 'preview', path: '/preview' },
    { name: 'retention', path: '/retention', needs: 'mayErase' },
    { name: 'aliases', path: '/aliases' },
    { name: 'import', path: '/import', needs: 'mayImport' },
  ],
};

/** Draws a page of a form below its head. */
export function FormShell(props: {
  form: FormShown;
  title: string;
  tab: Tab;
  part?: Part;
  children: ComponentChildren;
}) {
  const { form, title, tab, part, children } = props;
  return (
    <Shell title={`${title} · ${form.name}`} section="forms">
      <FormHead form={form} tab={tab} part={part} />
      {children}
    </Shell>
  );
}

/** Draws the head of every page of a form: its name and address, and the tabs that the reader may open. */
export function FormHead({ form, tab, part }: { form: FormShown; tab: Tab; part?: Part }) {
  const pages = PARTS[tab];
  return (
    <div class="form-head">
      <PageHead title={form.name} up={{ href: '/forms', label: formHeadWords.list }}>
        <code id="form-address">{form.address}</code>
        <button type="button" class="button plain" data-copy="form-address" hidden>
          <Icon name="copy" /> <span>{formHeadWords.copyAddress}</span>
        </button>
      </PageHead>
      <Places
        class="tabs"
        label={formHeadWords.tabs.label}
        places={TABS}
        names={formHeadWords.tabs.names}
        {...{ form, now: tab }}
      />
      {pages && (
        <Places
          class="parts"
          label={formHeadWords.parts.label}
          places={pages}
          names={formHeadWords.parts.names}
          {...{ form, now: part }}
        />
      )}
    </div>
  );
}

function Places<Name extends string>(props: {
  class: string;
  label: string;
  form: FormShown;
  places: Place<Name>[];
  names: Record<Name, string>;
  now: Name | undefined;
}) {
  const { label, form, places, names, now } = props;
  return (
    <nav class={props.class} aria-label={label}>
      {places
        .filter(({ needs }) => needs === undefined || form[needs])
        .map(({ name, path }) => (
          <a
            href={`/forms/${form.identifier}${path}`}
            aria-current={name === now ? 'page' : undefined}
          >
            {names[name]}
          </a>
        ))}
    </nav>
  );
}

/** A form as the head of its pages shows it. */
export interface FormShown {
  name: string;
  identifier: string;
  /** The public address that takes submissions. */
  address: string;
  /** Whether the reader may change the form, delete submissions, and see how many there were. */
  mayChange: boolean;
  mayErase: boolean;
  mayImport: boolean;
  mayCount: boolean;
}

/** A form, as its head is made from. */
export type HeadedForm = Pick<Form, 'id' | 'accountId' | 'name' | 'identifier' | 'madeByClientId'>;

/** Tells what the head above every page of a form shows, and which of its tabs somebody may open. */
@Injectable()
export class FormHeads {
  constructor(private readonly brands: BrandsService) {}

  async of(principal: Principal, form: HeadedForm): Promise<FormShown> {
    const { name, identifier } = form;
    const { baseUrl } = await this.brands.ofForm(form);
    return {
      ...{ name, identifier, address: `${baseUrl}/f/${identifier}` },
      mayChange: mayChange(principal, form),
      mayErase: principal.may('erase'),
      mayImport: principal.has('forms:write') && principal.may('triage'),
      mayCount: principal.has('submissions:read') && principal.may('see'),
    };
  }
}
