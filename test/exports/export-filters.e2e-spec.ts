import { useService, type FormBody, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';
import { unzip } from '../support/unzip.js';

/** Submissions of every form, oldest first; each is in its folder. */
const SUBMITTED = ['apple', 'berry', 'apple spam', 'apple trash', 'cherry'];
/** The query of an export, and what it has to hold, newest first; moments by the submission they are of. */
const FILTERS: [query: string, held: string[]][] = [
  ['', ['cherry', 'berry', 'apple']],
  ['from=berry', ['cherry', 'berry']],
  ['to=berry', ['apple']],
  ['from=berry&to=cherry', ['berry']],
  ['query=APPLE', ['apple']],
  ['query=nothing', []],
  ['spam=true', ['apple spam']],
  ['spam=all', ['cherry', 'apple spam', 'berry', 'apple']],
  ['trash=true', ['apple trash']],
  ['trash=all', ['cherry', 'apple trash', 'berry', 'apple']],
  ['spam=all&trash=all&query=apple', ['apple trash', 'apple spam', 'apple']],
  ['spam=all&trash=all&from=berry&to=cherry', ['apple trash', 'apple spam', 'berry']],
];

const service = useService();
let owner: Caller;
let form: FormBody;
const moments = new Map<string, string>();
beforeAll(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
  for (const m of SUBMITTED) {
    const id = await service()[m.includes('spam') ? 'submitSpam' : 'submit'](form, { m });
    const path = `${pathOf(form)}/${id}` as const;
    if (m.includes('trash')) await owner.patch(path, { submission: { trash: true } }).expect(200);
    const { created_at: at } = await owner.show(form, id);
    moments.set(m, at);
    // The next one is of a later millisecond.
    await until(() => Date.now() > Date.parse(at));
  }
});

/** The values that an export holds, in its order. */
async function held(ending: string, query: string): Promise<string[]> {
  const { body: bytes } = await owner
    .get(`${pathOf(form)}.${ending}?${query}`)
    .responseType('blob')
    .expect(200);
  const text = ending === 'xlsx' ? (unzip(bytes)['xl/worksheets/sheet1.xml'] ?? '') : bytes.toString('utf8');
  return [...text.matchAll(/(?:apple|berry|cherry)(?: spam| trash)?/g)].map(([value]) => value);
}

describe.each(['csv', 'ndjson', 'xlsx'])('An export as %s', (ending) => {
  it.each(FILTERS)('with "%s" holds %j', async (query, expected) => {
    const asked = query.replace(
      /(from|to)=(\w+)/g,
      (_, name: string, value: string) => `${name}=${encodeURIComponent(moments.get(value) ?? value)}`,
    );

    expect(await held(ending, asked)).toEqual(expected);
  });
});

it('A client that is deleted leaves no grant behind', async () => {
  const client = await owner.makeClient({ form_ids: [form.id] });
  const grants = () => service().query<unknown[]>('SELECT form_id FROM form_grants WHERE client_id = ?', [client]);
  expect(await grants()).toHaveLength(1);

  await owner.delete(`/api/v1/clients/${client}`).expect(200);

  expect(await grants()).toEqual([]);
});
