import { makeForm } from '../support/make.js';
import { useService } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { submit } from '../support/submissions.js';

/** More than any disk has: files never have room. */
const service = useService({ WORKERS: 'off', MIN_FREE_DISK: String(1024 ** 4) });

describe('With less space than MIN_FREE_DISK', () => {
  it('files are refused with what to do, and said once in the log; text is taken', async () => {
    const owner = await service().openAccount();
    const form = await makeForm(owner);
    const sendFile = () =>
      service()
        .anonymous()
        .post(`/f/${form.identifier}`)
        .field('name', 'Jane')
        .attach('file', Buffer.from('x'), 'a.txt')
        .expect(503);

    for (let i = 0; i < 3; i++) {
      const { body, headers } = await sendFile();
      expect(body).toMatchObject({
        errors: [{ code: 'FILES_UNAVAILABLE' }],
        message: expect.stringContaining('submit without files'),
      });
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await submit(service(), form);

    const lines = service().log.split('\n');
    const full = lines.filter((line) => line.includes('The disk is full'));
    expect(full).toHaveLength(1);
    expect(full[0]).toContain(service().config.dataDir);
    expect(service().log).not.toContain('"at":[');
    expect(await storedNames(service())).toEqual([]);
  });

  it('it is ready, and says what is wrong', async () => {
    await service().openAccount();
    expect(await service().anonymous().read('/health/ready')).toEqual({
      status: 'degraded',
      detail: expect.stringMatching(/^The disk of DATA_DIR has \d+ MiB free, .*MIN_FREE_DISK/),
    });
  });
});
