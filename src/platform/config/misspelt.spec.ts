import { describe, expect, it } from '@jest/globals';
import './config.js';
import { misspeltSettings } from './misspelt.js';

describe('Variables that look like settings', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['BASEURL', 'BASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['MAIL_FORM', 'MAIL_FROM'],
  ])('are reported: %s', (name, meant) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting; did you mean ${meant}?`,
    ]);
  });

  it('are left alone when they are settings, or nothing like one', () => {
    const usual = {
      SMTP_URL: '',
      HOME: '',
      HOSTNAME: '',
      PATH: '',
      PWD: '',
      MAIL: '',
      LOGNAME: '',
    };

    expect(misspeltSettings({ ...usual, npm_package_version: '', NODE_ENV: '' })).toEqual([]);
  });
});
