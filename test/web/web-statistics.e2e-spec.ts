import { elementsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';

const service = useService({ ...{ WORKERS: 'off', TRUST_PROXY: '1', COUNTRY_HEADER: 'CF-IPCountry' } });
const owner = useOwner(service);
const form = useForm(owner);

const upkeep = () => service().upkeep();

describe('The pages of statistics', () => {
  let jane: Browser;
  let ids: string[];
  beforeEach(async () => {
    jane = await service().makeBrowser(owner);
    ids = [await service().submit(form), await service().submit(form)];
    await service().submitSpam(form, {});
    await upkeep();
  });

  const hrefs = (page: string, name: string) =>
    elementsOf(page).flatMap(({ name: element, attributes }) =>
      element === 'a' && (attributes.tabindex === '-1') === (name === 'bars') ? (attributes.href ?? '') : '',
    );
  const isList = (href: string) => href.startsWith('/inbox?q=');

  it('have a bar and a row for each day, which open the list of what was received then', async () => {
    const own = `/forms/${form.identifier}/activity`;
    for (const path of ['/statistics', own]) {
      const { text, status } = await jane.get(path);
      expect(status).toBe(200);
      const [bar, top, ...others] = hrefs(text, 'bars').filter(isList);
      expect(others).toEqual([]);
      const [submissions, spam] = hrefs(text, 'rows').filter((href) => isList(href) && !href.includes('none'));
      expect([submissions, spam]).toEqual([bar, top]);

      const list = (await jane.get(bar ?? '')).text;
      expect(ids.filter((id) => list.includes(id))).toEqual(ids);
      expect((await jane.get(spam ?? '')).text).toContain('class="row"');
      expect(textOf(text, 'dd').slice(0, 3)).toEqual(['2', '1', '2']);
      expect(text.split('No data for the previous 30 days')).toHaveLength(2);
    }
    expect((await jane.get(`/forms/${form.identifier}`)).text).toContain(`href="${own}"`);
  });

  it('have a table of the days on which there was something, and of no others', async () => {
    const { text } = await jane.get(`/forms/${form.identifier}/activity?span=90d&by=day`);
    const [, table = ''] = text.split('<table');
    const { length } = textOf(table.slice(0, table.indexOf('</table>')), 'th');
    expect(length).toBe(4);
    expect((await jane.get('/statistics?from=2001-01-01&to=2001-01-31')).text).not.toContain('<table');
  });

  it('name sites only where there are several', async () => {
    const page = async () => (await jane.get(`/forms/${form.identifier}/activity`)).text;
    expect(textOf(await page(), 'h2')).not.toContain('Sites');
    await service().submit(form, { name: 'Zoë' }, { Referer: 'https://example.com/a' });
    await upkeep();
    expect(textOf(await page(), 'h2')).toContain('Sites');
  });

  it.each([
    ['span=7d', 7],
    ['span=90d&by=day', 90],
    ['from=2030-01-01&to=2030-01-31', 31],
    ['from=2030-01-01&to=2030-01-01&by=hour', 24],
    ['span=nonsense', 30],
  ])('show the span that is asked for: %s', async (query, bars) => {
    const [, chart = ''] = (await jane.get(`/statistics?${query}`)).text.split('class="chart"');
    expect(chart.split('<title>').length - 1).toBe(bars);
  });

  it.each([
    ['from=2030-02-30&to=2030-03-01', 'f-from-problem', '2030-02-30'],
    ['from=2030-03-02&to=2030-03-01', 'f-to-problem', '2030-03-02'],
    ['from=2020-03-02&to=2030-03-01&by=day', 'f-by-problem', '2020-03-02'],
  ])('say what is wrong beside the field: %s', async (query, problem, typed) => {
    const { text, status } = await jane.get(`/statistics?${query}`);
    expect(status).toBe(422);
    expect(text).toContain(`id="${problem}"`);
    expect(text).toContain(`value="${typed}"`);
  });

  it('have a bar for each page, site, country and choice, which opens its list', async () => {
    const headers = { Referer: 'https://example.com/a%20b?c', 'CF-IPCountry': 'NO' };
    const sent: string[] = [];
    for (let n = 0; n < 3; n++) {
      sent.push(await service().submit(form, { 'Which plan': 'gold & more' }, headers));
    }
    await upkeep();
    const { text } = await jane.get(`/forms/${form.identifier}/activity`);

    for (const [part, name] of [
      ['page:/a%20b', '/a%20b'],
      ['origin:https://example.com', 'https://example.com'],
      ['country:NO', 'Norway'],
      ['"Which plan":"gold & more"', 'gold &amp; more'],
    ] as const) {
      const line = encodeURIComponent(part).replaceAll('%20', '+');
      const href = hrefs(text, 'rows').find((each) => each.includes(line)) ?? part;
      const list = (await jane.get(href)).text;
      expect(sent.filter((id) => list.includes(id))).toEqual(sent);
      expect(ids.filter((id) => list.includes(id))).toEqual([]);
      expect(text).toContain(`>${name}</span>`);
    }
    expect((await jane.get('/statistics')).text).not.toContain('gold');
  });

  it('are drawn in small beside each form, in words too', async () => {
    await owner.makeForm();
    const { text } = await jane.get('/forms');
    const said = elementsOf(text)
      .filter(({ attributes }) => attributes.class === 'spark')
      .map(({ attributes }) => attributes['aria-label']);
    expect(said).toEqual(['2 in 30 days, at most 2 a day', 'None in 30 days']);
  });
});
