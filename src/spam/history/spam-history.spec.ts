import { SpamHistory } from './spam-history.js';

const NOW = new Date('2030-01-31T12:00:00Z');
const TEXT = [{ text: 'We would like a cake with three layers, for the last day of January.' }];
const NETWORK = '192.0.2.0';

describe('What came before a submission', () => {
  it('does not count what was not stored', () => {
    const history = new SpamHistory();
    const add = () => history.add(1, NETWORK, TEXT, NOW);

    expect(add()).toEqual({ alike: 0, fromNetwork: 0 });
    history.takeBack(1, NETWORK, TEXT);
    expect(add()).toEqual({ alike: 0, fromNetwork: 0 });
    expect(add()).toEqual({ alike: 1, fromNetwork: 1 });
    history.takeBack(1, NETWORK, TEXT);
    expect(add()).toEqual({ alike: 1, fromNetwork: 1 });
  });

  it('stays what it was when nothing of it is taken back', () => {
    const history = new SpamHistory();
    history.add(1, NETWORK, TEXT, NOW);
    history.takeBack(2, NETWORK, TEXT);
    history.takeBack(1, '', [{ text: 'Something else, which nobody has ever sent to this form.' }]);

    expect(history.add(1, NETWORK, TEXT, NOW)).toEqual({ alike: 1, fromNetwork: 1 });
  });
});
