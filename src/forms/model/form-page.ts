import { FORM_NAME_MAX, TEXT_MAX } from './form-settings.js';
import { parseUrl } from '../../platform/index.js';
import type { Form } from './form.entity.js';
import { flag, optional, setting, SettingGroup, text } from './setting.js';

/** The page of a form at its own address, which is drawn from its fields. */
export const PAGE = new SettingGroup({
  path: 'page',
  column: 'visitorPage',
  routes: {
    show: 'Show the settings of the page that a form has at its own address.',
    set: 'Turn on the page that a form has at its own address, and set what it says. What is not named gets its default.',
  },
  settings: {
    enabled: setting(flag, false, {
      says: 'Whether the address of the form shows a page to fill in',
      many: 'page_enabled',
      page: {
        section: 'page',
        label: 'Show the form at its own address',
        hint: 'For a form without a website. It shows no captcha: use the proof of work.',
      },
    }),
    title: optional(text({ min: 1, max: FORM_NAME_MAX, trim: true }), {
      says: 'Heading of the page',
      none: 'for the name of the form',
      many: 'page_title',
      page: { section: 'page', label: 'Heading', hint: 'Leave empty to use the name of the form.' },
    }),
    text: optional(text({ min: 1, max: TEXT_MAX, trim: true, lines: true }), {
      says: 'Text above the fields',
      none: 'for none',
      many: 'page_text',
      page: { section: 'page', label: 'Text above the fields' },
    }),
    indexed: setting(flag, false, {
      says: 'Whether search engines may list the page',
      many: 'page_indexed',
      page: { section: 'page', label: 'Let search engines list the page' },
    }),
  },
});

/** Returns the path of the page of a form. */
export const ownPath = ({ identifier }: Pick<Form, 'identifier'>) => `/f/${identifier}`;

/** Tells whether the address of a page is that of a form's own. */
export function isOwnPage(form: Pick<Form, 'identifier' | 'visitorPage'>, page: string | null) {
  if (form.visitorPage === null || page === null || !PAGE.of(form).enabled) return false;
  return parseUrl(page)?.pathname === ownPath(form);
}
