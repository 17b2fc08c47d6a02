import { beforeEach, describe, expect, it } from '@jest/globals';
import { useService } from './support/service.js';
import { Inbox, rawMultipart, type Sent } from './support/submit.js';

const URLENCODED = 'application/x-www-form-urlencoded';

const service = useService();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('Text that is not UTF-8', () => {
  it.each<[string, Sent, Record<string, string>]>([
    ['the type', { type: `${URLENCODED}; charset=Shift_JIS`, body: 'a=%93%FA' }, { a: '日' }],
    [
      'the type',
      { type: 'application/json; charset="iso-8859-1"', body: bytes('{"a":"\xe9"}') },
      { a: 'é' },
    ],
    [
      '_charset_',
      { type: URLENCODED, body: 'a=%A4&_charset_=iso-8859-15' },
      { a: '€', _charset_: 'iso-8859-15' },
    ],
    ['nobody', { type: URLENCODED, body: 'a=%93x%94+%E9&b=%C3%A9' }, { a: '“x” é', b: 'é' }],
    ['nobody', { type: 'application/json', body: bytes('{"a":"\xe9"}') }, { a: 'é' }],
  ])('is read as %s says', async (_, sent, values) => {
    expect(await inbox.values(sent)).toEqual(values);
  });

  it('is read in multipart as the type, a part or _charset_ says', async () => {
    const part = (head: string, value: string) =>
      bytes(`Content-Disposition: form-data; name="${head}\r\n\r\n${value}`);
    const declared = { ...rawMultipart([part('\xe9"', '\xe9')]) };
    declared.type = `${declared.type ?? ''}; charset=windows-1252`;
    expect(await inbox.values(declared)).toEqual({ é: 'é' });

    const own = part('a"\r\nContent-Type: text/plain; charset=shift_jis', '\x93\xfa');
    expect(await inbox.values(rawMultipart([own]))).toEqual({ a: '日' });

    const field = rawMultipart([part('a"', '\xa4'), part('_charset_"', 'iso-8859-15')]);
    expect(await inbox.values(field)).toEqual({ a: '€', _charset_: 'iso-8859-15' });

    expect(await inbox.values(rawMultipart([part('a"', '\x93x\x94')]))).toEqual({ a: '“x”' });
  });

  it('in a charset nobody knows is refused with 415 and its name', async () => {
    for (const type of [`${URLENCODED}; charset=klingon`, 'application/json; charset=klingon']) {
      const { status, text } = await inbox.submit({ type, body: '{"a":1}' });
      expect({ status, text }).toEqual({ status: 415, text: expect.stringContaining('klingon') });
    }
  });
});
