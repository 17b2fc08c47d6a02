import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsOf } from '../../../test/support/settings.js';
import { Config, misspeltSettings } from './config.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fcs-settings-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file with a value. @returns its path */
function fileOf(content: string | Buffer): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, content);
  return path;
}

describe('A setting in a file', () => {
  it.each([
    ['as it is', 'smtp://mail.example.com'],
    ['with a line end', 'smtp://mail.example.com\n'],
    ['with the line end of Windows', 'smtp://mail.example.com\r\n'],
    ['with the mark of an editor', '\uFEFFsmtp://mail.example.com\n'],
  ])('is read %s', (_, content) => {
    const { mail } = Config.from({ SMTP_URL_FILE: fileOf(content) });
    expect(mail.smtpUrl).toBe('smtp://mail.example.com');
  });

  it('counts as unset when the file is empty', () => {
    expect(Config.from({ SMTP_URL_FILE: fileOf('\n') }).mail.smtpUrl).toBeUndefined();
  });

  it('may be set once', () => {
    expect(problemsOf({ LOG_LEVEL: 'info', LOG_LEVEL_FILE: fileOf('debug') })).toEqual([
      'LOG_LEVEL and LOG_LEVEL_FILE are both set. Remove one of them.',
    ]);
  });

  it.each([
    ['is missing', () => join(folder, 'none'), 'ENOENT'],
    ['is a folder', () => folder, 'EISDIR'],
    ['is too large', () => fileOf('x'.repeat(65_537)), 'is larger than 65536 bytes'],
    ['has no text', () => fileOf(Buffer.from('info', 'utf16le')), 'is not UTF-8 text'],
  ])('that %s is refused', (_, path, reason) => {
    const [problem, ...others] = problemsOf({ LOG_LEVEL_FILE: path() });
    expect(problem).toMatch(/^LOG_LEVEL_FILE names a file that cannot be used: /);
    expect(problem).toContain(reason);
    expect(others).toEqual([]);
  });
});

describe('A setting in the environment', () => {
  it.each([
    ['"info"', 'info'],
    ["'info'", 'info'],
    ['info\r', 'info'],
    [' info ', 'info'],
  ])('loses what a file of settings left around it: %j', (given, value) => {
    expect(Config.from({ LOG_LEVEL: given }).logLevel).toBe(value);
  });

  it('keeps the quotes of a name', () => {
    const { mail } = Config.from({ MAIL_FROM: '"Forms, Inc." <forms@example.com>' });
    expect(mail.from).toEqual({ name: 'Forms, Inc.', address: 'forms@example.com' });
  });
});

describe('Variables that look like settings', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['BASEURL', 'BASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['MAIL_FORM', 'MAIL_FROM'],
  ])('are reported: %s', (name, meant) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  it('are left alone when they are settings, or nothing like one', () => {
    const usual = ['SMTP_URL', 'SMTP_URL_FILE', 'HOME', 'HOSTNAME', 'PWD', 'MAIL', 'LOGNAME', 'NODE_ENV'];
    expect(misspeltSettings(Object.fromEntries(usual.map((name) => [name, ''])))).toEqual([]);
  });
});
