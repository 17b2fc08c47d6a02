import { TcpProxy } from '../support/tcp-proxy.js';
import { where } from '../support/where.js';
import { Cluster, whyNoCluster } from './kit/cluster.js';
import { useServices } from './kit/scene.js';
import { expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;
/** Before and after a node fails. */
const ENOUGH = 500;

const { start, sendTo } = useServices();
const reason = whyNoCluster();

where(reason === null, `D-14: ${reason}`).describe(
  'On a cluster of three database nodes, one of them written to',
  () => {
    let cluster: Cluster;
    let link: TcpProxy;
    beforeAll(async () => {
      cluster = await Cluster.start();
      link = await TcpProxy.to(...cluster.urls);
    });
    afterAll(async () => {
      await link.cut();
      await cluster.stop();
    });

    it.each<[string, (node: number) => Promise<void>]>([
      [
        'cut off, although it still answers',
        async (node) => {
          await cluster.isolate(node);
          link.turn();
        },
      ],
      ['killed', (node) => cluster.kill(node)],
    ])('D-14: the service goes on with the next node when one is %s', async (what, fail) => {
      const service = await start({ DATABASE_URL: link.through(cluster.urls[0] ?? '') });
      const form = await service.makeForm();
      const ledger = sendTo(form, [service]);
      ledger.start(CLIENTS);
      await ledger.untilAcknowledged(ENOUGH);
      const node = cluster.nodeAt(link.target);
      await fail(node);
      await ledger.untilAcknowledged(ENOUGH);
      await ledger.stop();

      await expectNothingLost(`D-14 node ${what}`, ledger, service.owner, form);
      expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(2 * ENOUGH);
      if (what !== 'killed') await cluster.rejoin(node);
    });
  },
);
