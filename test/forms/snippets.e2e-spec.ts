import { refusal } from '../support/refusal.js';
import { useOwner, useService, type FormBody } from '../support/service.js';

const service = useService();
const owner = useOwner(service);

const codes = async ({ identifier }: FormBody) => {
  const { snippets } = await owner.read(`/api/v1/forms/${identifier}/snippets`);
  return Object.fromEntries(snippets.map(({ flavour, code }) => [flavour, code]));
};

describe('The snippets of a form', () => {
  it('ask for an email address and a message where the form lists no fields', async () => {
    const form = await owner.makeForm({ name: 'Contact' });

    const { html, curl } = await codes(form);

    expect(html).toContain(`action="${service().config.baseUrl}/f/${form.identifier}"`);
    expect(html).toContain('<input type="email" name="email" required>');
    expect(html).toContain('<textarea name="message" required></textarea>');
    expect(curl).toContain("--data-urlencode 'email=jane@example.com'");
  });

  it('have the fields of the form, each with its kind and its rules', async () => {
    const form = await owner.makeForm({ name: 'Contact' });
    const fields = [
      { name: 'size', kind: 'choice', choices: ['S', 'M & L'], required: true },
      { name: 'extras', kind: 'choices', choices: ['Lid'] },
      { name: 'terms', kind: 'check', label: 'I agree', required: true },
      { name: 'cv', kind: 'file', file_types: ['.pdf'], help: 'One page' },
      { name: 'count', kind: 'number', min: 1, max: 9 },
      { name: 'ref', kind: 'hidden' },
    ];
    await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);

    const { html, curl } = await codes(form);

    expect(html).toContain('enctype="multipart/form-data"');
    expect(html).toContain('<select name="size" required><option value="">Choose…</option><option>S</option>');
    expect(html).toContain('<option>M &amp; L</option>');
    expect(html).toContain('<input type="checkbox" name="extras" value="Lid">');
    expect(html).toContain('<input type="checkbox" name="terms" required value="yes"> I agree');
    expect(html).toContain('<input type="file" name="cv" accept=".pdf"> <small>One page</small>');
    expect(html).toContain('<input type="number" name="count" min="1" max="9" step="any">');
    expect(html).toContain('<input type="hidden" name="ref" value="">');
    expect(html).not.toContain('message');
    expect(curl).toContain("--form-string 'terms=yes'");
    expect(curl).toContain("--form 'cv=@example.pdf'");
  });

  it('name the form to agents in browsers, and tell them to leave the honeypot empty', async () => {
    const form = await owner.makeForm({ name: 'Kontakt für Büros' });

    const { html } = await codes(form);

    expect(html).toContain('toolname="send_kontakt_fur_buros"');
    expect(html).toContain('tooldescription="Send the form Kontakt für Büros to the owner of this site"');
    expect(html).toContain(
      'name="_gotcha" hidden tabindex="-1" autocomplete="off" toolparamdescription="Leave this empty"',
    );
  });

  it('hold nothing that a name or a label could break out of', async () => {
    const form = await owner.makeForm({ name: '"><script>alert(1)</script>{{ evil }}' });
    const fields = [{ name: 'a"b', kind: 'text', label: '</label><script>{x}', pattern: '\\d{5}' }];
    await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);

    const all = Object.entries(await codes(form));

    expect(all).toHaveLength(7);
    for (const [, code] of all) {
      expect(code).not.toContain('<script>alert');
      expect(code).not.toContain('{x}');
      expect(code).not.toContain('{{ evil');
    }
    expect((await codes(form)).html).toContain('name="a&quot;b" pattern="\\d&#123;5&#125;"');
  });

  it('keep values and names as they are, in JSX and for a shell', async () => {
    const form = await owner.makeForm();
    const choices = ['turn on tabindex=', 'one\ntwo'];
    const fields = [
      { name: 'a=b&c', kind: 'text' },
      { name: 'extras', kind: 'choices', choices },
    ];
    await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);

    const { react, curl } = await codes(form);

    expect(react).toContain('value="turn on tabindex="');
    expect(react).toContain('value="one&#10;two"');
    expect(react).toContain('tabIndex="-1"');
    expect(curl).toContain("--data-urlencode 'a%3Db%26c=");
  });

  it('come in one flavour for who asks for it, and in no unknown one', async () => {
    const form = await owner.makeForm();

    const path = `/api/v1/forms/${form.identifier}/snippets`;

    const { body } = await owner.get(`${path}?flavour=react`).expect(200);
    expect(body).toMatchObject({ snippets: [{ flavour: 'react' }] });
    await owner.get(`${path}?flavour=cobol`).expect(refusal(422, 'invalid_fields', 'flavour'));
  });
});
