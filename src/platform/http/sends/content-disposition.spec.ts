import fc from 'fast-check';
import { validateHeaderValue } from 'node:http';
import { contentDisposition } from './sends.js';

describe('The disposition of a download', () => {
  it.each([
    ['cv.pdf', 'cv.pdf', 'cv.pdf'],
    ['na\u00efve "1".pdf', 'na_ve _1_.pdf', 'na%C3%AFve%20%221%22.pdf'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\dir\\evil.exe', 'evil.exe', 'evil.exe'],
    ['', 'file', 'file'],
    ['a\r\nSet-Cookie: x', 'aSet-Cookie: x', 'aSet-Cookie%3A%20x'],
    ["it's (1)*.txt", "it's (1)*.txt", 'it%27s%20%281%29%2A.txt'],
    ['\u{1f600}.png', '__.png', '%F0%9F%98%80.png'],
    ['\ud800.png', '.png', '.png'],
  ])('of %j', (name, ascii, encoded) => {
    expect(contentDisposition(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  });

  it('is a header of one attachment whatever the name (S-10)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (name) => {
        const value = contentDisposition(name);
        expect(() => {
          validateHeaderValue('Content-Disposition', value);
        }).not.toThrow();
        expect(value).toMatch(/^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[\w.~!%-]+$/);
        expect(value.length).toBeLessThan(3_000);
      }),
    );
  });

  it('never cuts a character in two', () => {
    expect(() => contentDisposition(`${'x'.repeat(199)}\u{1f600}`)).not.toThrow();
  });
});
