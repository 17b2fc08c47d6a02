import { beforeAll, describe, expect, it } from '@jest/globals';
import { longestTurn } from './support/cpu-time.js';
import { useService } from './support/service.js';
import { Inbox, send, urlencoded, type Sent } from './support/submit.js';

/** Longest turn of a process that keeps nobody waiting, in milliseconds of computing, with what the test itself does. */
const TURN_MAX_MS = 400;
const MEGABYTE = 1_000_000;

const service = useService();
let inbox: Inbox;
beforeAll(async () => {
  inbox = await Inbox.open(service());
  await inbox.accept(urlencoded([['message', 'Hello']]));
});

/** Repeats a text to a length in characters. */
const filled = (unit: string, length = MEGABYTE) => unit.repeat(Math.floor(length / unit.length));

/** Sends a request, and returns its status; fails when it takes too long at once. */
async function statusOf(path: string, sent: Sent): Promise<number> {
  let status = 0;
  const longest = await longestTurn(async () => {
    ({ status } = await send(service().url + path, sent));
  });
  expect(longest).toBeLessThan(TURN_MAX_MS);
  return status;
}

describe('A body whose form is named by a field keeps nobody waiting', () => {
  const multipart = (unit: string): Sent => ({
    type: 'multipart/form-data; boundary=x',
    body: `--x\r\n${filled(unit)}`,
  });
  const urlencodedOf = (unit: string): Sent => ({
    type: 'application/x-www-form-urlencoded',
    body: filled(unit),
  });
  const jsonOf = (unit: string): Sent => ({
    type: 'application/json',
    body: `{${filled(unit)}`,
  });

  describe.each([
    ['/submit', 'access_key'],
    ['/forminit', 'forminitFormId'],
  ])('at %s, full of', (path, key) => {
    it.each([
      ['headers of a part', multipart(`name="${key}"\r\na`)],
      ['parts without an end', multipart(`name="${key}"\r\n\r\n`)],
      ['empty parts', multipart(`\r\n--x\r\nname="${key}"\r\n\r\n\r\n`)],
      ['delimiters', multipart('\r\n--x')],
      ['pairs without a value', urlencodedOf(`&${key}=`)],
      ['members without an end', jsonOf(`"${key}":"\\`)],
      ['names and blanks', jsonOf(`"${key}"${' '.repeat(20)}`)],
    ])('%s', async (_, sent) => {
      expect([404, 422]).toContain(await statusOf(path, sent));
    });
  });
});
