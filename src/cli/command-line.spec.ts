import { runCommand } from './command-line.js';

let stdout = '';
let stderr = '';
beforeEach(() => {
  stdout = stderr = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (stdout += String(text)) !== '');
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => (stderr += String(text)) !== '');
});

it.each([[[]], [['accounts']], [['tokens']], [['tokens', 'create']], [['migrate']], [['doctor']], [['restore']]])(
  'Help is there for %j',
  async (words) => {
    expect(await runCommand([...words, '--help'])).toBe(0);
    expect(stdout).toMatch(/^Usage: form-collection-service/);
    expect(stderr).toBe('');
  },
);

it.each([
  [['accounts']],
  [['nonsense']],
  [['accounts', 'create']],
  [['accounts', 'create', '--name', 'A', '--nonsense']],
  [['accounts', 'create', '--name', 'A', '--email', 'nobody']],
  [['tokens', 'list', '--account', 'first']],
  [['tokens', 'create', '--account', '1', '--name', 'A', '--rights', 'everything']],
  [['tokens', 'create', '--account', '1', '--name', 'A', '--expires', 'soon']],
  [['tokens', 'revoke', '--account', '1']],
  [['tokens', 'revoke', 'first', '--account', '1']],
  [['doctor', 'more']],
  [['backup', 'a', 'b']],
  [['restore']],
  [['restore', 'nothing-of-that-name']],
])('Wrong use exits with 2 and says so on stderr: %j', async (words) => {
  expect(await runCommand(words)).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).not.toBe('');
});
