import { letsFormsSend } from './content-policy.js';

const PAGE = new URL('https://www.example.com/contact');
const TARGET = new URL('https://forms.example.org/f/1');

describe('The Content-Security-Policy of a page', () => {
  it.each([
    ["default-src 'none'", true],
    ['form-action https:', true],
    ['form-action forms.example.org', true],
    ['form-action *.example.org', true],
    ['form-action https://forms.example.org/f/', true],
    ["form-action 'self'", false],
    ['form-action', false],
    ['form-action http://forms.example.org:8080', false],
    ['form-action https://forms.example.org/g/', false],
    ['form-action example.org', false],
    ["form-action *, form-action 'self'", false],
    ['sandbox allow-scripts', false],
    ['sandbox allow-forms', true],
  ])('%j lets its form be sent elsewhere: %s', (policy, expected) => {
    expect(letsFormsSend(policy, PAGE, TARGET)).toBe(expected);
  });

  it('lets a form be sent to the page’s own host', () => {
    expect(letsFormsSend("form-action 'self'", PAGE, new URL('/f/1', PAGE))).toBe(true);
  });
});
