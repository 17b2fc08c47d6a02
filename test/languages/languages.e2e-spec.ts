import { ENGLISH, languageOf, LANGUAGES, preferredLanguage, wordsIn } from '../../src/languages/words.js';
import { EN } from '../../src/languages/en.js';
import { elementsOf, textOf } from '../support/page.js';
import { useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { Inbox, named, send, urlencoded } from '../support/submit.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, MAIL_FROM: 'forms@ours.example.net' }));
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});
const set = (part: string, body: object) =>
  inbox.owner.put(`/api/v1/forms/${inbox.form.identifier}/${part}`, body).expect(200);
const sent = (values: Record<string, string>, accepted?: string) => {
  const { headers, ...body } = { headers: {}, ...named({ message: 'Hi', ...values }) };
  return inbox.submit({ ...body, headers: { ...headers, ...(accepted && { 'Accept-Language': accepted }) } });
};
const visit = (next: unknown, asked: { method: string; headers?: Record<string, string> }) => {
  const { pathname, search } = new URL(String(next));
  return send(service().url + pathname + search, asked);
};
const GERMAN = 'Vielen Dank! Wir haben Ihre Nachricht erhalten.';
const ENGLISH_THANKS = 'Thank you! We have received your submission.';

describe('The language of a visitor', () => {
  it.each([
    ['the language that the form chooses', 'de', { _language: 'en' }, 'en', GERMAN],
    ['that of the page', null, { _language: 'de-AT' }, 'en', GERMAN],
    ['the one that the browser prefers and we have', null, {}, 'xx, zh-TW;q=0.9, de-CH;q=0.8, en;q=0.7', GERMAN],
    ['the next one, if the page names none that we have', null, { _language: 'tlh' }, 'de', GERMAN],
    ['English, if nobody says', null, {}, undefined, ENGLISH_THANKS],
    ['English, if the browser names none that we have', null, {}, '*, xx;q=0.5', ENGLISH_THANKS],
    ['English, if the page says nonsense', null, { _language: '../../etc/passwd' }, ';;,q=', ENGLISH_THANKS],
    ['English, if the page says too much', null, { _language: 'de'.repeat(5_000) }, 'd'.repeat(9_000), ENGLISH_THANKS],
  ])('is %s', async (_, ofForm, values, accepted, message) => {
    if (ofForm !== null) await set('language', { language: ofForm });
    const { status, headers, body } = await sent(values, accepted);
    expect({ status, message: body.message }).toEqual({ status: 200, message });
    expect(headers.get('Content-Language')).toBe(message === GERMAN ? 'de' : 'en');
  });

  it('is kept with the submission, and is that of later pages', async () => {
    const { body } = await sent({ _language: 'de-AT' }, 'en');
    const { text } = await visit(body.next, { method: 'GET', headers: { 'Accept-Language': 'en' } });
    const [html] = elementsOf(text);
    expect(html?.attributes).toMatchObject({ lang: 'de', dir: 'ltr' });
    expect(textOf(text, 'h1')).toEqual(['Vielen Dank']);
    const { body: kept } = await inbox.owner.get(
      `/api/v1/forms/${inbox.form.identifier}/submissions/${String(body.id)}/source`,
    );
    expect(kept).toMatchObject({ language: 'de-at' });
  });

  it('is that of refusals, whose codes stay', async () => {
    await set('fields', { fields: [{ name: 'message', kind: 'text', label: 'Text', min_length: 1_000 }] });
    const { body } = await sent({ _language: 'de' });
    expect(body).toMatchObject({
      message: 'Bitte prüfen Sie diese Felder.',
      code: 422,
      errors: [{ field: 'message', code: 'TOO_SHORT' }],
    });
    expect(String((body.errors as { message: string }[])[0]?.message)).toBe(
      'Schreiben Sie mindestens 1000 Zeichen; Sie haben 2 geschrieben.',
    );
    const { text, headers } = await inbox.submit({
      ...urlencoded([['message', 'Hi']]),
      headers: { Accept: 'text/html', 'Accept-Language': 'de' },
    });
    expect(textOf(text, 'h1')).toEqual(['Ihre Nachricht wurde nicht gesendet']);
    expect(textOf(text, 'button')).toEqual(['Noch einmal senden']);
    expect(headers.get('Content-Language')).toBe('de');
  });

  it('is that of pages that know no submission, for caches too', async () => {
    const asked = { method: 'GET', headers: { Accept: 'text/html', 'Accept-Language': 'de' } };
    const { text, headers } = await send(`${service().url}/opt-in/none`, asked);
    expect(textOf(text, 'h1')).toEqual(['Dieser Link funktioniert nicht']);
    expect(headers.get('Vary')).toContain('Accept-Language');
    const byGet = await send(`${inbox.url}?email=a%40b.example`, asked);
    expect(textOf(byGet.text, 'h1')).toEqual(['Ihre Nachricht wurde nicht gesendet']);
  });

  it('is that of refusals before the form is known', async () => {
    const { body } = await send(`${service().url}/f/0000000000000000`, {
      ...named({ message: 'Hi' }),
      headers: { 'Accept-Language': 'de' },
    });
    expect(body).toMatchObject({ message: 'Unter dieser Adresse gibt es kein Formular.' });
  });

  it('names what only the owner of the page can mend in English, as such', async () => {
    const { text } = await inbox.submit({
      type: 'text/strange',
      body: 'x',
      headers: { Accept: 'text/html', 'Accept-Language': 'de' },
    });
    const [detail] = elementsOf(text).filter(({ name, attributes }) => name === 'p' && attributes.lang === 'en');
    expect(detail).toBeDefined();
    expect(text).toContain('Bitte sagen Sie es dem Betreiber der Website:');
  });

  it('is that of the emails to a visitor', async () => {
    await inbox.owner.patch(`/api/v1/forms/${inbox.form.identifier}`, { form: { notify_submitter: true } }).expect(200);
    await sent({ email: 'anna@example.org', _language: 'de' });
    await service().sendDue();
    const [{ mail } = { mail: null }] = server.to('anna@example.org');
    expect(mail?.subject).toContain('Wir haben Ihre Nachricht erhalten');
    expect(mail?.html).toContain('<html lang="de" dir="ltr">');
  });

  it('does not change the answers of the API', async () => {
    const { body } = await inbox.owner.get('/api/v1/forms/0000000000000000').set('Accept-Language', 'de').expect(404);
    expect(body).toMatchObject({ detail: 'Form not found.' });
  });
});

describe('The texts of an owner', () => {
  const texts = {
    de: { submission_text: 'Servus!', closed_message: 'Geschlossen.', fields: { message: { label: 'Nachricht' } } },
  };

  it('are told in the language of the visitor, where they are given', async () => {
    await inbox.owner
      .patch(`/api/v1/forms/${inbox.form.identifier}`, {
        form: { submission_text: 'Howdy!', show_submitted_values: true },
      })
      .expect(200);
    await inbox.owner.get(`/api/v1/forms/${inbox.form.identifier}/translations`).expect(200, { translations: null });
    await set('translations', { translations: texts });
    await inbox.owner.get(`/api/v1/forms/${inbox.form.identifier}/translations`).expect(200, { translations: texts });

    const { body } = await sent({ _language: 'de' });
    expect(body).toMatchObject({ message: 'Servus!', submission_text: 'Howdy!' });
    expect(textOf((await visit(body.next, { method: 'GET' })).text, 'dt')).toEqual(['Nachricht']);
    expect((await sent({}, 'fr')).body).toMatchObject({ message: 'Howdy!' });

    await set('intake', { intake: { paused: true, message: 'Closed.' } });
    expect((await sent({}, 'de')).body).toMatchObject({ message: 'Geschlossen.', errors: [{ code: 'FORM_PAUSED' }] });
    expect((await sent({}, 'en')).body).toMatchObject({ message: 'Closed.' });
  });

  it.each([
    ['a language that we do not have', { tlh: {} }],
    ['a text that forms do not have', { de: { name: 'x' } }],
    ['what is no text', { de: { submission_text: 1 } }],
    ['a text that is too long', { de: { closed_message: 'x'.repeat(501) } }],
    ['what is no list of texts', ['de']],
  ])('are refused with %s', async (_, translations) => {
    const path = `/api/v1/forms/${inbox.form.identifier}/translations`;
    const { body } = await inbox.owner.put(path, { translations }).expect(422);
    expect(body).toMatchObject({ errors: [{ field: 'translations', code: 'not_translations' }] });
  });
});

describe('Words', () => {
  it('isolate what runs in another direction', () => {
    expect(ENGLISH.say('back_to', { site: 'a.example' })).toBe('Back to a.example');
    expect(ENGLISH.say('back_to', { site: 'متجر' })).toBe('Back to \u2068متجر\u2069');
  });

  it('keep examples as they are typed, in languages from right to left too', () => {
    expect(wordsIn('he').say('problem.not_a_phone')).toContain('\u2066+49 30 123456\u2069');
  });

  it('know what tags mean', () => {
    const meant = ['de', 'DE-at', 'zh-TW', 'x', '', 'en-US-u-ca-buddhist', `de-${'x'.repeat(40)}`];
    expect(meant.map(languageOf)).toEqual(['de', 'de', null, null, null, 'en', null]);
    expect(preferredLanguage('de;q=0.1, EN-gb')).toBe('en-gb');
  });

  it('are there in every language, for any number', () => {
    for (const language of LANGUAGES) {
      const words = wordsIn(language);
      for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 1_000_000]) {
        expect(words.say('problem.too_short', { count, length: 7 })).toContain(String(count));
      }
      const texts = Object.keys(EN).map((key) => words.tell({ key: key as keyof typeof EN, values: {} }));
      expect(texts.filter((text) => text.trim() === '')).toEqual([]);
    }
  });
});
