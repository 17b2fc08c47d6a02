import { Secret, TOTP } from 'otpauth';
import type { TestClock } from './clock.js';
import { hiddenOf } from './page.js';
import type { Browser } from './people.js';

/** Returns the code that an authenticator app with this secret shows now. */
export function codeOf(secret: string, clock: TestClock): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: clock.now().getTime() });
}

/**
 * Asks for codes of an authenticator app from now on, as somebody who is signed in.
 * @returns the app's secret and the recovery codes
 */
export async function switchOnTotp(browser: Browser, clock: TestClock): Promise<{ secret: string; codes: string[] }> {
  const { secret = '' } = hiddenOf((await browser.get('/account/totp')).text);
  const shown = await browser.post('/account/totp', { secret, code: codeOf(secret, clock) });
  if (shown.status !== 200) throw new Error(`Codes could not be switched on: ${shown.status}`);
  return { secret, codes: shown.text.match(/(?:[0-9a-f]{4}-){4}[0-9a-f]{4}/g) ?? [] };
}
