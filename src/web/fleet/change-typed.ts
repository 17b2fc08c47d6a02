import { InvalidForm, isTicked, textOf, type Typed } from '../parts/typed.js';
import { fleetWords } from './words.js';

/** Begins the names of fields: they are the paths of the API, whose problems name them. */
export const SETTINGS = 'change.settings.';
/** Begins the names of boxes that clear a setting. */
export const CLEAR = 'clear.';
/** Field with the identifiers of the forms. */
export const FORMS = 'change.forms';

/** Settings that are typed, cleared, chosen as yes or no, and chosen among clients. */
export const TEXTS = [
  'notify_owner_emails',
  'webhook_url',
  'redirect_url',
  'whitelisted_domains',
  'retention_days',
] as const;
const FLAGS = ['notify_owner_on_submission', 'paused'] as const;
export const GRANTS = ['grant_to', 'withdraw_from'] as const;

/** Returns the identifiers of the forms that a page names. */
export function formsTyped(sent: Typed | undefined): string[] {
  return textOf(sent, FORMS)
    .split(',')
    .filter((identifier) => identifier !== '');
}

/** Returns a change in the shape of the API. @throws InvalidForm where nothing is to change */
export function changeTyped(sent: Typed | undefined): object {
  const settings = settingsTyped(sent);
  if (Object.keys(settings).length === 0) {
    const field = `${SETTINGS}notify_owner_on_submission`;
    throw new InvalidForm([
      { field, code: 'nothing_to_change', message: fleetWords.change.nothing },
    ]);
  }
  return { change: { forms: formsTyped(sent), settings } };
}

/** Returns the settings that were typed, chosen or cleared, in the shape of the API. */
function settingsTyped(sent: Typed | undefined): Record<string, unknown> {
  const typed = (name: string) => textOf(sent, SETTINGS + name).trim();
  const settings: Record<string, unknown> = {};
  for (const name of TEXTS) {
    const value = typed(name);
    if (value !== '') settings[name] = name === 'retention_days' ? Number(value) : value;
    else if (isTicked(sent, CLEAR + name)) settings[name] = null;
  }
  for (const name of FLAGS) if (typed(name) !== '') settings[name] = typed(name) === 'true';
  for (const name of GRANTS) if (typed(name) !== '') settings[name] = Number(typed(name));
  return settings;
}
