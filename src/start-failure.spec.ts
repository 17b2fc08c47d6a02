import { describe, expect, it } from '@jest/globals';
import { Config } from './platform/config/config.js';
import { explainFailure } from './start-failure.js';

const config = Config.from({ DATA_DIR: '/srv/data', METRICS_PORT: '80' });
const failure = (code: string, more: object = {}) =>
  Object.assign(new Error('x'), { code, ...more });

describe('A start that fails', () => {
  it.each([
    ['EACCES', '', 'DATA_DIR (/srv/data) cannot be written by this user (EACCES);'],
    ['EROFS', '', 'DATA_DIR (/srv/data) cannot be written by this user (EROFS);'],
    [
      'SQLITE_CANTOPEN',
      '',
      'DATA_DIR (/srv/data) cannot be written by this user (SQLITE_CANTOPEN);',
    ],
    ['EEXIST', '', 'DATA_DIR (/srv/data) is not a folder'],
    ['ENOSPC', '', 'DATA_DIR (/srv/data) is on a disk that is full'],
    ['SQLITE_FULL', '', 'DATA_DIR (/srv/data) is on a disk that is full'],
    ['SQLITE_CORRUPT', '', '/srv/data/database.sqlite is damaged'],
    ['EACCES', 'PORT', 'PORT 3000 may not be used by this user; set PORT to one from 1024.'],
    ['EACCES', 'METRICS_PORT', 'METRICS_PORT 80 may not be used by this user'],
    ['EADDRINUSE', 'PORT', 'PORT 3000 is taken by another program'],
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
    const error = {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      message: 'getaddrinfo ENOTFOUND nope',
    };
    expect(explainFailure(error, config)).toMatch(/^HOST nope is no address/);
  });
});
