import { useService } from '../support/service.js';
import { Inbox, json, multipart } from '../support/submit.js';

const MIB = 1024 * 1024;
const service = useService({ MAX_BODY_BYTES: String(8 * MIB), MAX_FIELD_VALUE_BYTES: String(8 * MIB) });

it('A text of what has a meaning in SQL is stored as it was sent, however long', async () => {
  const inbox = await Inbox.open(service());
  const unit = `'"\\\0\b\t\n\r\x1a?:x%_;--/*\u00e4\u{1f600}\u2028`;
  for (const text of [unit, "'", '\\', unit.repeat(1_000), "'".repeat(5_000), '\\'.repeat(5_001)]) {
    expect(await inbox.values(json([['m', text]]))).toEqual({ m: text });
  }
});

it('What every database takes in one statement is stored, and the rest is refused', async () => {
  const inbox = await Inbox.open(service());
  for (const text of ['ä '.repeat(2.6 * MIB), '\\'.repeat(3.7 * MIB)]) {
    expect(await inbox.values(multipart([['m', text]]))).toEqual({ m: text });
  }

  for (const tooLong of ['\0'.repeat(3 * MIB), '\\'.repeat(3.8 * MIB)]) {
    expect((await inbox.submit(multipart([['m', tooLong]]))).status).toBe(413);
  }
  expect(await inbox.count()).toBe(2);
});
