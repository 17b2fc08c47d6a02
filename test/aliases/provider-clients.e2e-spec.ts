import { createClient, isSubmissionError } from '@formspree/core';
import { Forminit } from 'forminit';
import { createRequire } from 'node:module';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';

type Call = (values: Record<string, string>) => Promise<unknown>;
interface Hooks {
  useFormspark: (options: { formId: string }) => [Call, boolean];
  useSubmit: (id: string, options: object) => Call;
  useWeb3Forms: (options: {
    access_key: string;
    onSuccess: (message: string) => void;
    onError: (message: string) => void;
  }) => { submit: Call };
}

// As an owner's bundler reads them; React has no types here.
const load = createRequire(import.meta.url) as (name: string) => Record<string, unknown>;
const { createElement } = load('react') as { createElement: (part: () => null) => unknown };
const { renderToString } = load('react-dom/server') as { renderToString: (it: unknown) => string };
const hooks = {
  useFormspark: load('@formspark/use-formspark').useFormspark,
  useSubmit: load('@formspree/react').useSubmit,
  useWeb3Forms: load('@web3forms/react'),
} as unknown as Hooks;

/** Returns what a hook gives to the component that uses it. */
function used<T>(hook: () => T): T {
  const seen: T[] = [];
  renderToString(
    createElement(() => {
      seen.push(hook());
      return null;
    }),
  );
  return seen[0] as T;
}

const service = useService();
const IDS = {
  formspree: 'xpzvnqkd',
  formspark: 'hJk3LmN9',
  web3forms: '4f8f3c1e-9f0a-4d8e-8b53-0c6f5f1f2a10',
  forminit: 'v1x2y3z4',
};
const VALUES = { email: 'jane@example.com', message: 'Grüße' };
let inbox: Inbox;
beforeAll(async () => {
  inbox = await Inbox.open(service(), { submission_text: 'Merci!' });
  const path = `/api/v1/forms/${inbox.form.identifier}/aliases` as const;
  for (const [provider, value] of [...Object.entries(IDS), ['formspree', '1234567890/contact'] as const]) {
    await inbox.owner.post(path, { alias: { provider, value } }).expect(201);
  }
});

const newest = async () => (await inbox.all())[0]?.values;
const fetchOfNode = globalThis.fetch;
/** Sends what is for a fixed host here, as a page does whose addresses were replaced. */
function replaceHost(host: string): void {
  globalThis.fetch = (url, init) => fetchOfNode((url as string).replace(`https://${host}`, service().url), init);
}
afterEach(() => {
  globalThis.fetch = fetchOfNode;
});

describe('Unchanged, with the host alone replaced', () => {
  it.each([undefined, '1234567890'])('@formspree/core stores, project %s', async (project) => {
    const client = createClient(project === undefined ? {} : { project });
    const form = new FormData();
    for (const [name, value] of Object.entries(VALUES)) form.append(name, value);
    for (const values of [VALUES, form]) {
      const id = project === undefined ? IDS.formspree : 'contact';
      const result = await client.submitForm(id, values, { endpoint: service().url });
      expect(result).toMatchObject({ kind: 'success', next: expect.stringContaining('/thanks') });
      expect(await newest()).toEqual(VALUES);
    }
  });

  it('@formspree/core reads the codes of errors', async () => {
    const options = { endpoint: service().url };
    const empty = await createClient().submitForm(IDS.formspree, {}, options);
    const unknown = await createClient().submitForm('nobody', VALUES, options);
    const codes = [empty, unknown].map((result) =>
      isSubmissionError(result) ? result.getFormErrors()[0]?.code : null,
    );
    expect(codes).toEqual(['EMPTY', 'FORM_NOT_FOUND']);
  });

  it('@formspree/react stores', async () => {
    const submit = used(() => hooks.useSubmit(IDS.formspree, { origin: service().url }));
    expect(await submit(VALUES)).toMatchObject({ kind: 'success' });
    expect(await newest()).toEqual(VALUES);
    expect(await submit({})).toMatchObject({ kind: 'error' });
  });

  it('@formspark/use-formspark stores, and throws what was wrong', async () => {
    replaceHost('submit-form.com');
    const [submit] = used(() => hooks.useFormspark({ formId: IDS.formspark }));
    expect(await submit(VALUES)).toMatchObject({ success: true });
    expect(await newest()).toEqual(VALUES);
    await expect(submit({})).rejects.toMatchObject({ status: 422, body: { status: 'error' } });
  });

  it('@web3forms/react stores, and says what was wrong', async () => {
    const said: string[] = [];
    replaceHost('api.web3forms.com');
    const { submit } = used(() =>
      hooks.useWeb3Forms({
        access_key: IDS.web3forms,
        onSuccess: (message) => said.push(`stored: ${message}`),
        onError: (message) => said.push(`refused: ${message}`),
      }),
    );
    await submit(VALUES);
    await submit({});
    expect(said).toEqual(['stored: Merci!', expect.stringMatching(/^refused: .*without any/)]);
    expect(await newest()).toEqual(VALUES);
  });

  it.each(['/forminit', null])('forminit stores, by %s', async (proxy) => {
    if (proxy === null) replaceHost('forminit.com');
    const proxyUrl = proxy === null ? undefined : service().url + proxy;
    const sdk = new Forminit({ apiKey: 'key', ...(proxyUrl && { proxyUrl }) });
    const form = new FormData();
    form.append('fi-sender-email', VALUES.email);
    form.append('fi-text-message', VALUES.message);
    const blocks = [
      { type: 'sender' as const, properties: { email: VALUES.email } },
      { type: 'text' as const, name: 'message', value: VALUES.message },
    ];
    for (const values of [form, { blocks }]) {
      const { data, redirectUrl, error } = await sdk.submit(IDS.forminit, values);
      expect(error).toBeUndefined();
      expect(data).toMatchObject({ hashId: expect.any(String) });
      expect(redirectUrl).toContain('/thanks');
      expect(await newest()).toEqual(VALUES);
    }
    const { error } = await sdk.submit(IDS.forminit, { blocks: [] });
    expect(error).toMatchObject({ error: 'EMPTY', code: 422 });
  });
});
