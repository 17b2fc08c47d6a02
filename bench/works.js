/** The requests that are measured, as the bytes that go over the wire. */
import { randomBytes } from 'node:crypto';

/** More than the service remembers of an account: nobody sends the same again, which would be spam. */
const VARIANTS = 1_000;
/** So many for each account. */
const VARIANTS_OF_ALL = 20_000;
const FILE_BYTES = 100 * 1024;
const FILE_VARIANTS = 20;
const BOUNDARY = '----WebKitFormBoundaryOf7BenchmarkForms';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/**
 * Lists the works. Reads are spread over all forms and accounts, since owners do not all ask for the same.
 * @param forms each an identifier and a token of its account
 * @param thanks path of a thank-you page that shows what was submitted
 * @returns the works; each request of a submission tells the form and the values it must leave behind
 */
export function listWorks(forms, thanks) {
  const identifiers = forms.map(({ identifier }) => identifier);
  const [first] = identifiers;
  const owners = [...new Set(forms.map(({ token }) => token))];
  return [
    submissions('submit to one form', [first], VARIANTS, urlencoded),
    submissions('submit over 100 forms', identifiers, VARIANTS_OF_ALL, urlencoded),
    submissions('submit JSON', [first], VARIANTS, json),
    submissions('submit a file of 100 kB', [first], FILE_VARIANTS, multipart),
    read(
      'list of forms',
      owners.map((token) => ({ path: '/api/v1/forms', token })),
    ),
    read(
      'view of a form',
      forms.map(({ identifier, token }) => ({ path: `/api/v1/forms/${identifier}`, token })),
    ),
    { name: 'thank-you page', kind: 'page', requests: [{ bytes: request(`GET ${thanks}`, null, []) }], minimum: 500 },
  ];
}

function submissions(name, forms, count, encode) {
  const requests = Array.from({ length: count }, (_, index) => {
    const form = forms[index % forms.length];
    const fields = [
      ['name', `Person ${index}`],
      ['email', `person-${index}@example.com`],
      ['message', `${words(index)}, please & thank you.`],
    ];
    const { type, body, file = null } = encode(fields);
    const bytes = request(`POST /f/${form}`, body, [`Content-Type: ${type}`]);
    return { form, fields, file, bytes };
  });
  return { name, kind: 'submit', requests, minimum: 1 };
}

const WORDS =
  'offer garden price repair visit window school party trip music order house bread paint lamp river stone cloud train table';

/** Returns a text that shares few neighbouring words with others; of eight words it has 40 to 60 characters. */
export function words(index, count = 8) {
  const all = WORDS.split(' ');
  let state = index + 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647; // the generator of Lehmer, with the numbers of Park and Miller
    return all[state % all.length];
  }).join(' ');
}

function read(name, asked) {
  const requests = asked.map(({ path, token }) => ({
    bytes: request(`GET ${path}`, null, [`Authorization: Bearer ${token}`]),
  }));
  return { name, kind: 'read', asked, requests, minimum: 300 };
}

function urlencoded(fields) {
  return { type: 'application/x-www-form-urlencoded', body: Buffer.from(String(new URLSearchParams(fields))) };
}

function json(fields) {
  return { type: 'application/json', body: Buffer.from(JSON.stringify(Object.fromEntries(fields))) };
}

function multipart(fields) {
  const file = randomBytes(FILE_BYTES);
  const part = (head) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const body = Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${part(`name="${name}"`)}${value}\r\n`)),
    Buffer.from(part('name="plan"; filename="plan.pdf"\r\nContent-Type: application/pdf')),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body, file };
}

function request(line, body, headers) {
  const head = [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    `User-Agent: ${AGENT}`,
    'Accept: application/json',
    'Accept-Language: en-GB,en;q=0.9',
    'Origin: https://example.com',
    ...headers,
    ...(body ? [`Content-Length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)]);
}

/** Returns the bytes of a submission to a form. */
export function submissionOf(identifier, fields, headers = []) {
  const { type, body } = urlencoded(Object.entries(fields));
  return request(`POST /f/${identifier}`, body, [`Content-Type: ${type}`, ...headers]);
}
