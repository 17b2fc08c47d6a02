import { itInBrowser } from '../support/browser.js';
import { complaintsOf, openPage, useBrowser } from '../support/browser-pages.js';
import { Browser } from '../support/people.js';
import { useService, useOwner, useForm, type Standing } from '../support/service.js';

/** Largest picture that is shown, in bytes. */
const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** A red dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const program = useBrowser();
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);

const signedIn = (standing?: Standing) => service().makeBrowser(owner, standing);
const pageOf = (id: string) => `/inbox/${form.identifier}/${id}`;
async function fileOf(id: string): Promise<string> {
  const { files } = await owner.show(form, id);
  return `${pageOf(id)}/files/${files[0]?.id ?? ''}`;
}
/** Sends a file. @returns the address of its submission, and of the picture */
async function sent(content: Buffer | string, name: string, type: string) {
  const id = await service().submitFile(form, content, { name, type });
  return { page: pageOf(id), image: `${await fileOf(id)}/image` };
}

describe('A picture that was sent as text', () => {
  it('is shown by its bytes, wherever it is in an answer', async () => {
    const browser = await signedIn();
    const source = `data:image/png;base64,${PNG.toString('base64')}`;
    const id = await service().submit(form, { name: 'Ann', sign: { pad: [source] } });

    const { text } = await browser.get(pageOf(id));
    expect(text).toContain(`src="${pageOf(id)}/value/file?at=2"`);
    expect(text).not.toContain(PNG.toString('base64'));
    const { headers, body } = await browser.get(`${pageOf(id)}/value/file?at=2`);
    expect(body.equals(PNG)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await browser.get(`${pageOf(id)}/value/file?at=1`)).status).toBe(404);
    expect((await owner.show(form, id)).values).toEqual({ name: 'Ann', sign: { pad: [source] } });
  });

  it.each([
    ['image/svg+xml', '<svg onload="alert(1)"/>', 'sign.svg'],
    ['image/png', '<script>alert(1)</script>', 'sign.png'],
    ['text/html', '<script>alert(1)</script>', 'sign.html'],
  ])('is a file to save where it is a %s with %j', async (type, content, name) => {
    const browser = await signedIn();
    const source = `data:${type};base64,${btoa(content)}`;
    const id = await service().submit(form, { sign: source });

    const { headers, body } = await browser.get(`${pageOf(id)}/value/file?at=1`);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toContain(`attachment; filename="${name}"`);
    expect(String(body)).toBe(content);
  });
});

describe('A picture that a visitor sent', () => {
  it('is shown by its bytes, whatever it is called, so that nothing in it can run', async () => {
    const browser = await signedIn();
    const { page, image } = await sent(PNG, 'page.html', 'text/html');

    expect((await browser.get(page)).text).toContain(`src="${image}"`);
    const { status, headers, body } = await browser.get(image);
    expect(status).toBe(200);
    expect(body.equals(PNG)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': 'inline',
    });
  });

  it.each<[string, Buffer | string]>([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['a page with a picture in it', Buffer.concat([Buffer.from('<b>'), PNG])],
    ['nothing', ''],
    ['one that is too large', Buffer.concat([PNG, Buffer.alloc(IMAGE_MAX_BYTES)])],
  ])('is none of what stays a file to save: %s', async (_, content) => {
    const browser = await signedIn();
    const { page, image } = await sent(content, 'a.png', 'image/png');

    expect((await browser.get(page)).text).not.toContain('<img class="thumbnail"');
    expect((await browser.get(image)).status).toBe(404);
  });

  it('is not there for people of another form, client or account', async () => {
    const { image } = await sent(PNG, 'a.png', 'image/png');
    const client = await owner.makeClient();
    const ofClient = await signedIn({ clientId: client, actions: ['see'] });
    const stranger = await service().makeBrowser(await service().openAccount('Another'));

    for (const each of [ofClient, stranger]) expect((await each.get(image)).status).toBe(404);
    expect((await new Browser(service()).get(image)).status).toBe(303);
  });

  itInBrowser('is drawn in a box of its own, and moves nothing when it comes', async () => {
    const { page: path } = await sent(PNG, 'a.png', 'image/png');
    const person = await service().makePerson(owner);
    const page = await openPage(program(), service(), person, path);
    const complaints = complaintsOf(page, /./);
    const picture = page.getByRole('img', { name: 'Image: a.png' });
    await picture.scrollIntoViewIfNeeded();
    await page.waitForFunction('document.querySelector(".thumbnail").naturalWidth === 1');

    expect(await picture.boundingBox()).toMatchObject({ width: 160, height: 120 });
    expect(complaints).toEqual([]);
  });
});
