import { DataSource } from 'typeorm';
import { migrate } from '../../src/platform/database/database-status.js';
import { createDatabase } from '../support/database.js';
import { onServer } from '../support/database-matrix.js';
import { useOwnDatabases } from '../support/own-database.js';
import { refusal } from '../support/refusal.js';
import type { Service } from '../support/service.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const { settings, start } = useOwnDatabases(createDatabase);
let service: Service;

const get = (path: string) => service.anonymous().get(path);

const expectUnavailable = (code: string) =>
  get('/health/ready').expect('Retry-After', /^\d+$/).expect(refusal(503, code));

describe('Health', () => {
  it('is live and ready without a token', async () => {
    service = await start();
    await service.openAccount();

    for (const path of ['/health/live', '/health/ready']) {
      expect((await get(path).expect(200)).body).toMatchObject({ status: 'ok' });
    }
  });

  it('is live but not ready while migrations are pending', async () => {
    service = await start({ MIGRATE: 'off' });

    await get('/health/live').expect(200);
    await expectUnavailable('migrations_pending');

    await migrate(service.app.get(DataSource));
    await expectUnavailable('account_missing');

    await service.openAccount();
    await get('/health/ready').expect(200);
  });

  it('is not ready once the database is closed', async () => {
    service = await start();

    await service.app.get(DataSource).destroy();

    await get('/health/live').expect(200);
    await expectUnavailable('database_unavailable');
  });

  onServer('is live but not ready while the database is away, and ready when it is back', async () => {
    const { DATABASE_URL = '' } = settings();
    const link = await TcpProxy.to(DATABASE_URL);
    const { port } = link;
    service = await start({ DATABASE_URL: link.through(DATABASE_URL) });
    await service.openAccount();
    await get('/health/ready').expect(200);

    await link.cut();
    await get('/health/live').expect(200);
    await expectUnavailable('database_unavailable');
    await expectUnavailable('database_unavailable');

    await link.listen(port);
    await get('/health/ready').expect(200);
    await service.close();
    await link.cut();
  });
});
