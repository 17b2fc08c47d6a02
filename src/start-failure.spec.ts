import { Config } from './platform/config/config.js';
import { explainFailure } from './start-failure.js';

const config = Config.from({ DATA_DIR: '/srv/data', METRICS_PORT: '80' });
const failure = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

describe('A start that fails', () => {
  it.each([
    ['EACCES', '', 'This user cannot write to DATA_DIR (/srv/data) (EACCES).'],
    ['SQLITE_CANTOPEN', '', 'This user cannot write to DATA_DIR (/srv/data) (SQLITE_CANTOPEN).'],
    ['ENOSPC', '', 'The disk of DATA_DIR (/srv/data) is full.'],
    ['ERR_DLOPEN_FAILED', '', 'The embedded database has no program for Node v'],
    ['SQLITE_CORRUPT', '', '/srv/data/database.sqlite is damaged'],
    ['EACCES', 'PORT', 'This user cannot use PORT 3000. Set PORT to 1024 or higher.'],
    ['EACCES', 'METRICS_PORT', 'This user cannot use METRICS_PORT 80.'],
    ['EADDRNOTAVAIL', 'PORT', 'HOST is not an address of this machine'],
    ['EUNKNOWN', 'PORT', 'The service could not start: x'],
  ])('with %s names the setting at fault, and one cause: %s', (code, setting, words) => {
    const port = { PORT: 3000, METRICS_PORT: 80 }[setting];
    const listening = port === undefined ? {} : { syscall: 'listen', port };

    const sentence = explainFailure(failure(code, listening), config);

    expect(sentence.startsWith(words)).toBe(true);
  });

  it('names HOST when that is the name of no machine', () => {
    const config = Config.from({ HOST: 'nope' });
    const error = { code: 'ENOTFOUND', syscall: 'getaddrinfo', message: 'getaddrinfo ENOTFOUND nope' };
    expect(explainFailure(error, config)).toMatch(/^HOST nope is not an address/);
  });
});
