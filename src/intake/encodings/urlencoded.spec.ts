import fc from 'fast-check';
import { Config } from '../../platform/config/config.js';
import { decoderFor } from './charset.js';
import { SubmissionLimits } from './submission-limits.js';
import { parseUrlencoded } from './urlencoded.js';

const limits = new SubmissionLimits(Config.from({ MAX_FIELDS: '10000', MAX_FIELD_NAME_BYTES: '4096' }));
const parse = (body: string, charset?: string) =>
  parseUrlencoded(Buffer.from(body, 'latin1'), decoderFor(charset), limits);

describe('An urlencoded body', () => {
  it('is read as the URL standard reads it', () => {
    const piece = fc.oneof(
      fc.constantFrom('=', '&', '+', '%', '%2', '%zz', '%41', '%C3%A9', '%2B', '[', '__proto__'),
      fc.stringMatching(/^[ -~]{0,4}$/),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const body = pieces.join('');
        // A leading "?" belongs to the constructor, not to the format.
        const pairs = [...new URLSearchParams(`?${body}`)];
        fc.pre(!pairs.flat().join('').includes('\ufffd')); // what is not UTF-8 is kept here
        expect(parse(body)).toEqual(pairs);
      }),
    );
  });

  it('keeps every byte that UTF-8 does not', () => {
    expect(parse('a=%FF&b=%E2%82')).toEqual([
      ['a', '\u00ff'],
      ['b', '\u00e2\u201a'],
    ]);
    expect(parse('a=%EF%BB%BFx')).toEqual([['a', '\ufeffx']]);
  });

  it('goes by the declared charset before its own field', () => {
    expect(parse('a=%A4&_charset_=iso-8859-15')[0]).toEqual(['a', '\u20ac']);
    expect(parse('a=%A4&_charset_=iso-8859-15', 'windows-1252')[0]).toEqual(['a', '\u00a4']);
    expect(parse('a=%93%80%94', 'ISO-8859-1')[0]).toEqual(['a', '\u201c\u20ac\u201d']);
    expect(parse('a=%C3%A9&_charset_=')[0]).toEqual(['a', '\u00e9']);
    expect(parse('a=%C3%A9', 'klingon')).toEqual([['a', '\u00e9']]);
  });
});
