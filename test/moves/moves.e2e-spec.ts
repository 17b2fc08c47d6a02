import type { Schemas } from '../../build/api.js';
import { useService, type Caller } from '../support/service.js';
import { send, named, urlencoded } from '../support/submit.js';

type Moved = Schemas['MovedDto'];

const BASE_URL = 'https://forms.example.com';
const service = useService({ BASE_URL });
let owner: Caller;
let made = 0;
const fresh = () => `moved${String(++made).padStart(3, '0')}`;
beforeEach(async () => {
  owner = await service().openAccount();
});

const ask = (move: object, more: object = {}, caller = owner) => caller.post('/api/v1/moves', { move, ...more });
const move = async (text: object, more: object = {}): Promise<Moved> => (await ask(text, more).expect(200)).body.move;
const formsOf = async (caller: Caller) => (await caller.read('/api/v1/forms')).forms;
const get = async (path: string) => (await owner.get(`/api/v1/forms/${path}`).expect(200)).body;

/** Returns a page as people write them, with all that is to stay as it is. */
const page = (id: string) => `<!DOCTYPE html>
<html lang=de><head><title>Tischlerei  Öz</title><!-- <form action="https://formspree.io/f/comment" method="post"> --></head>
<body class='a'>
<form action="/search"><input name=q></form>
<FORM  Action='https://formspree.io/f/${id}' method="POST" id=contact data-x="&amp;">
  <label for=mail>Your e-mail: *</label> <input id=mail type=email name=email required>
  <label>Topic <select name=topic><option value="">Choose</option><option>Sales</option><option value=s>Support</option></select></label>
  <input type=number name=age min=18 max="99" placeholder=Age>
  <input type=radio name=size value=S> <input type=radio name=size value=M required>
  <input type=text name=zip pattern="\\d{5}" maxlength=5 aria-label=ZIP>
  <input type="hidden" name="_next" value="/thanks"><input name=_gotcha style="display:none">
  <button>Go</button>
</FORM>
<textarea form=contact name=message></textarea>
<form method=post><input type=password name=pw></form>
<script>document.write('<form action="https://formspree.io/f/script" method="post">')</script>
</body></html>
`;

describe('A pasted page', () => {
  it('gives a form for each of its own, and comes back with new addresses and nothing else changed', async () => {
    const id = fresh();
    const { forms, page: rewritten } = await move({ kind: 'page', content: page(id) });

    expect(forms).toEqual([
      {
        name: 'Tischlerei Öz',
        identifier: expect.stringMatching(/^[0-9a-f]{16}$/),
        ...{ existed: false, provider: 'formspree', value: id, reached: true },
        labels: [
          { name: 'email', label: 'Your e-mail' },
          { name: 'topic', label: 'Topic' },
          { name: 'age', label: 'Age' },
          { name: 'zip', label: 'ZIP' },
        ],
        ruled_fields: ['email', 'topic', 'age', 'size', 'zip'],
      },
    ]);
    const identifier = String(forms[0]?.identifier);
    expect(rewritten).toBe(
      page(id).replace(
        `Action='https://formspree.io/f/${id}' method="POST"`,
        `action="${BASE_URL}/f/${identifier}" method="POST"`,
      ),
    );
    expect(await get(`${identifier}/fields`)).toEqual({
      on_failure: 'hold',
      fields: [
        { name: 'email', label: 'Your e-mail', kind: 'email', required: true },
        { name: 'topic', label: 'Topic', kind: 'choice', choices: ['Sales', 's'] },
        { name: 'age', label: 'Age', kind: 'number', min: 18, max: 99 },
        { name: 'size', kind: 'choice', required: true, choices: ['S', 'M'] },
        { name: 'zip', label: 'ZIP', kind: 'text', pattern: '\\d{5}', max_length: 5 },
        { name: 'message', kind: 'long_text' },
      ],
    });
    expect(await get(`${identifier}/dialect`)).toEqual({ dialect: 'formspree' });
  });

  it('leads old pages and new ones to the same form', async () => {
    const id = fresh();
    const { forms } = await move({ kind: 'page', content: page(id) });
    const identifier = String(forms[0]?.identifier);
    for (const last of [id, identifier]) {
      const sent = named({ email: `${last}@example.com`, size: 'M', _next: '/thanks' });
      expect((await send(`${service().url}/f/${last}`, sent)).status).toBe(200);
    }
    expect(await get(identifier)).toMatchObject({ submission_count: 2 });
  });

  it('names the form again that another page of the site made', async () => {
    const id = fresh();
    const first = await move({ kind: 'page', content: page(id) });
    const second = await move({ kind: 'page', content: page(id).replace('class', 'id') });
    expect(second.forms[0]).toMatchObject({
      ...{ identifier: first.forms[0]?.identifier, existed: true, reached: true },
    });
    expect(await formsOf(owner)).toHaveLength(1);
  });

  it('says what it would do, and does nothing, when it is asked to', async () => {
    const moved = await move({ kind: 'page', content: page(fresh()) }, { dry_run: true });
    expect(moved.forms).toMatchObject([{ identifier: null, existed: false, reached: true }]);
    expect(moved.page).toBeNull();
    expect(await formsOf(owner)).toEqual([]);
  });

  it('of Web3Forms and of Netlify is understood', async () => {
    const key = '4f8f3c1e-9f0a-4d8e-8b53-0c6f5f1f2a11';
    const content = `<form action="https://api.web3forms.com/submit" method="POST"><input type=hidden name=access_key value="${key}"><input name=email></form>
<form name="contact" netlify><input name=email></form><form data-netlify="true" method=get name=order><input name=email></form>`;
    const { forms, page: rewritten } = await move({ kind: 'page', content });
    expect(forms).toMatchObject([
      { provider: 'web3forms', value: key, reached: true },
      { name: 'contact', provider: 'netlify', value: null, reached: false },
      { name: 'order', provider: 'netlify', value: null, reached: false },
    ]);
    const actions = [...String(rewritten).matchAll(/action="([^"]*)"/g)].map(([, to]) => to);
    expect(actions).toEqual(forms.map(({ identifier }) => `${BASE_URL}/f/${identifier}`));
    expect(String(rewritten).match(/method="post"/gi)).toHaveLength(3);
  });

  it.each(['netlify-honeypot', 'data-netlify-honeypot'])(
    'of Netlify keeps its honeypot, which %s names',
    async (attribute) => {
      const content = `<form name="contact" method="POST" data-netlify="true" ${attribute}="company-url">
<p hidden><label>Leave this empty <input name="company-url" pattern="x"></label></p><label>Email <input name="email"></label></form>`;
      const { forms } = await move({ kind: 'page', content });
      expect(forms).toMatchObject([{ labels: [{ name: 'email', label: 'Email' }], ruled_fields: [] }]);
      const identifier = String(forms[0]?.identifier);
      for (const trap of ['', 'https://spam.example']) {
        const sent = urlencoded([
          ['form-name', 'contact'],
          ['company-url', trap],
          ['email', 'jane@example.com'],
        ]);
        expect((await send(`${service().url}/f/${identifier}`, sent)).status).toBe(200);
      }
      const kept = async (spam: boolean) => await get(`${identifier}/submissions?spam=${spam}`);
      const submissions = [{ values: { email: 'jane@example.com' } }];
      expect(await kept(false)).toMatchObject({ submissions });
      expect(await kept(true)).toMatchObject({ submissions });
    },
  );

  it('whose id another account has gives a form that the old id does not lead to', async () => {
    const id = fresh();
    await move({ kind: 'page', content: page(id) });
    owner = await service().openAccount();
    const { forms } = await move({ kind: 'page', content: page(id) });
    expect(forms).toMatchObject([{ existed: false, reached: false }]);
  });

  it('without a form is refused, and so is one that hides it in a script', async () => {
    for (const content of ['<p>Hello', '<script>"<form method=post>"</script>', '<form>']) {
      const { body } = await ask({ kind: 'page', content }).expect(422);
      expect(body).toMatchObject({ errors: [{ field: 'move.content', code: 'unreadable_move' }] });
    }
  });

  it('with more than we read is refused, and the answer says how much we do', async () => {
    const content = `${'<div>'.repeat(600)}<form method=post><input name=a>`;
    expect((await ask({ kind: 'page', content }).expect(422)).body).toMatchObject({
      errors: [{ code: 'unreadable_move', message: expect.stringMatching(/512 deep/) }],
    });
  });
});

describe('A formspree.json', () => {
  const file = {
    forms: {
      contact: {
        name: 'Contact us',
        fields: { email: { type: 'email', required: true }, message: { type: 'text' } },
        actions: [
          { type: 'email', to: 'Jane@Example.com' },
          { type: 'email', to: '$EMAIL' },
        ],
      },
      order: {},
    },
  };

  it('gives its forms, reached by the project and the key', async () => {
    const project = fresh();
    const content = JSON.stringify(file);
    const { forms } = await move({ kind: 'formspree', content, project });
    expect(forms).toMatchObject([
      { name: 'Contact us', value: `${project}/contact`, reached: true, ruled_fields: ['email'] },
      { name: 'order', value: `${project}/order`, reached: true },
    ]);
    const [contact] = forms;
    expect(await get(String(contact?.identifier))).toMatchObject({
      notify_owner_emails: expect.stringMatching(/^jane@example\.com$/i),
    });
    const answer = await send(`${service().url}/p/${project}/f/contact`, urlencoded([['email', 'a@b.example']]));
    expect(answer.status).toBe(200);
  });

  it.each(['{', '[]', '{"forms":[]}', '{"forms":{}}'])('is refused when it is %s', async (content) => {
    await ask({ kind: 'formspree', content }).expect(422);
  });
});

describe('Lines of ids', () => {
  it('give a form each, by id or old address, with a name behind it', async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()];
    const content = `\uFEFFid,name\r\n${one},"Contact"\r\nhttps://formcarry.com/s/${two};Order\n\n${three}\n`;
    expect((await move({ kind: 'ids', provider: 'basin', content })).forms).toMatchObject([
      { name: 'Contact', provider: 'basin', value: one },
      { name: 'Order', provider: 'formcarry', value: two },
      { name: three, provider: 'basin', value: three },
    ]);
  });

  it('are refused with the number of the line that has none', async () => {
    const { body } = await ask({ kind: 'ids', content: 'https://formspree.io/f/a\nwhat is this' }).expect(422);
    expect(JSON.stringify(body)).toContain('Line 2');
  });
});

it('A client moves forms if it may create some', async () => {
  const text = { kind: 'ids', provider: 'basin', content: fresh() };
  const client = await owner.makeClientCaller({ can_create_forms: false });
  await ask(text, {}, client).expect(403);
  expect(await formsOf(owner)).toEqual([]);
});
