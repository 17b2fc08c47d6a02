import { boundaryOf, showsBoundary } from './multipart-parser.js';

const BODY = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
const of = (type: string, body = '') => boundaryOf(type, Buffer.from(body, 'latin1'));

describe('The boundary of a multipart body', () => {
  it.each([
    ['multipart/form-data; boundary=a', '', 'a'],
    ['m/f; Boundary="a b"', '', 'a b'],
    ['multipart/form-data; boundary=other', BODY, 'x'],
    ['application/json', BODY, 'x'],
    ['', BODY.replace('\r\nC', '\r\nContent-Type: text/plain\r\nC'), 'x'],
    ['', BODY.replaceAll('--x', '--- a \t'), '- a'],
    // What is not the first part of a form says nothing.
    ['multipart/form-data; boundary=a', `\r\n${BODY}`, 'a'],
    ['multipart/form-data; boundary=a', BODY.replace('form-data', 'attachment'), 'a'],
    ['multipart/form-data; boundary=a', BODY.replace('\r\n\r\n', '\r\n'), 'a'],
    ['multipart/form-data; boundary=a', `--${'x'.repeat(201)}${BODY.slice(3)}`, 'a'],
  ])('by %j and %j is %j', (type, body, boundary) => {
    expect(of(type, body)).toBe(boundary);
  });

  it.each(['multipart/form-data', 'm/f; boundary=', 'm/f; boundary=""'])('is none by the type %s alone', (type) => {
    expect(of(type)).toBeNull();
  });

  it('shows once the headers of the first part are there, or none can be', () => {
    const shows = (text: string) => showsBoundary(Buffer.from(text, 'latin1'));
    expect(['a=', '{}', '--x\r\nA: b\r\n\r\n', '-'.repeat(16 * 1024)].map(shows)).toEqual(Array(4).fill(true));
    expect(['', '-', '--', '--x\r\nA: b\r\n'].map(shows)).toEqual(Array(4).fill(false));
  });
});
