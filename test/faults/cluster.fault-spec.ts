import { TcpProxy } from '../support/tcp-proxy.js';
import { Cluster, whyNoCluster } from './kit/cluster.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';
import { expectNothingLost } from './kit/tally.js';
import { where } from '../support/where.js';

const CLIENTS = 32;
/** Before and after a node fails. */
const ENOUGH = 500;

const reason = whyNoCluster();

where(reason === null, `D-14: ${reason}`).describe(
  'On a cluster of three database nodes, one of them written to',
  () => {
    let cluster: Cluster;
    let link: TcpProxy;
    let service: RunningService;
    let form: string;
    let ledger: Ledger;
    beforeAll(async () => {
      cluster = await Cluster.start();
      link = await TcpProxy.to(...cluster.urls);
    });
    beforeEach(async () => {
      service = await RunningService.start({ DATABASE_URL: link.through(cluster.urls[0] ?? '') });
      form = await service.makeForm();
      ledger = new Ledger([`${service.url}/f/${form}`]);
    });
    afterEach(async () => {
      await service.remove();
      await ledger.stop();
    });
    afterAll(async () => {
      await link.cut();
      await cluster.stop();
    });

    it('D-14: goes on with the next node when one is cut off, although it still answers', async () => {
      ledger.start(CLIENTS);
      await ledger.untilAcknowledged(ENOUGH);
      const node = cluster.nodeAt(link.target);
      await cluster.isolate(node);
      link.turn();
      await ledger.untilAcknowledged(ENOUGH);
      await ledger.stop();

      await expectNothingLost('D-14 node cut off', ledger, service.owner, form);
      expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(2 * ENOUGH);
      await cluster.rejoin(node);
    });

    it('D-14: goes on with the next node when one is killed', async () => {
      ledger.start(CLIENTS);
      await ledger.untilAcknowledged(ENOUGH);
      await cluster.kill(cluster.nodeAt(link.target));
      await ledger.untilAcknowledged(ENOUGH);
      await ledger.stop();

      await expectNothingLost('D-14 node killed', ledger, service.owner, form);
      expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(2 * ENOUGH);
    });
  },
);
