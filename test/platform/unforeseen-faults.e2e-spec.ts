import { Metrics } from '../../src/operations/metrics/metrics.js';
import { RequestMetrics } from '../../src/platform/http/requests/requests.js';
import { freePort } from '../support/program.js';
import { Service, useService } from '../support/service.js';
import { send } from '../support/submit.js';

const service = useService();
/** Checks faults that would end the process: the test runner fails a test for them too. */
describe('A fault that nobody foresaw', () => {
  it('while a submission is being answered ends that connection, and nothing else', async () => {
    const form = await (await service().openAccount()).makeForm();
    const record = jest.spyOn(service().app.get(RequestMetrics), 'record');
    record.mockImplementationOnce(() => {
      throw new Error('a fault of the metrics');
    });

    await send(`${service().url}/f/${form.identifier}`, { body: '' }).catch(() => null);

    expect(service().log).toContain('A submission could not be answered');
    expect(service().log).toContain('a fault of the metrics');
    await service().submit(form);
  });

  it('while metrics are read is answered and logged, and the next reader gets them', async () => {
    const port = await freePort();
    const { dataDir } = service().config;
    const watched = await Service.start({ DATA_DIR: `${dataDir}/watched`, METRICS_PORT: port });
    try {
      const text = jest.spyOn(watched.app.get(Metrics), 'text');
      text.mockRejectedValueOnce(new Error('a fault of the pool'));
      const scrape = () => send(`http://127.0.0.1:${port}/metrics`, { method: 'GET' });

      expect((await scrape()).status).toBe(500);
      expect(watched.log).toContain('a fault of the pool');
      expect((await scrape()).status).toBe(200);
    } finally {
      await watched.close();
    }
  });
});
