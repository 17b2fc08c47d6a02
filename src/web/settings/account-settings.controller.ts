import { Get } from '@nestjs/common';
import { page, WebController, Asked, type PageInput } from '../kit/index.js';
import { SettingsPage } from './account-settings.page.js';
import type { Request } from 'express';

/** Serves the index of the settings of an account. */
@WebController('settings')
export class AccountSettingsController {
  /** List the settings of the account. */
  @Get()
  list() {
    return page(SettingsPage, {});
  }
}

const MOVED_PERMANENTLY = 301;

/** Addresses that pages had before, with where each leads now. */
export const OLD_ADDRESSES: Record<string, string> = {
  'forms/:identifier/statistics': '/forms/:identifier/activity',
  'forms/:identifier/watch': '/forms/:identifier/activity',
  'forms/:identifier/thank-you': '/forms/:identifier/settings#visitors',
  'forms/:identifier/domains': '/forms/:identifier/settings#spam',
  'forms/:identifier/intake': '/forms/:identifier/settings#keep',
  'forms/:identifier/retention': '/forms/:identifier/settings#keep',
  'forms/:identifier/notifications': '/forms/:identifier/settings#notifications',
  'forms/:identifier/labels': '/forms/:identifier/settings#fields',
  'forms/:identifier/rules': '/forms/:identifier/settings#fields',
  'forms/:identifier/preview': '/forms/:identifier/settings#fields',
};

/** Leads from addresses that pages had before to those they have now. */
@WebController()
export class OldAddressesController {
  /** Lead to the page that took the place of another, with the same query. */
  @Get(Object.keys(OLD_ADDRESSES))
  lead(@Asked() { request }: PageInput) {
    const { path } = request.route as { path: string };
    const to = newAddress(OLD_ADDRESSES[path.slice(1)] ?? '/', request);
    return { to, status: MOVED_PERMANENTLY };
  }
}

function newAddress(template: string, { params, originalUrl }: Request) {
  const [path = '', anchor] = template
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .split('#');
  const at = originalUrl.indexOf('?');
  const query = at < 0 ? '' : originalUrl.slice(at);
  return `${path}${query}${anchor === undefined ? '' : `#${anchor}`}`;
}
