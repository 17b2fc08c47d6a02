import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runProgram } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Service, type FormBody, type Caller } from '../support/service.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';

let database: TestDatabase;
let token: string;
let folder: string;
let form: FormBody;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'fcs-import-'));
  const { stdout } = await run(database.settings, 'accounts', 'create', '--name', 'Ada', '--json');
  [{ token }] = JSON.parse(stdout) as [{ token: string }];
});
beforeEach(async () => {
  form = await asOwner((owner) => owner.makeForm());
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

/** Runs the service for as long as the owner works with it: a command in this process has the database for itself. */
async function asOwner<T>(work: (owner: Caller) => Promise<T>): Promise<T> {
  const service = await Service.start({ ...database.settings, WORKERS: 'off' });
  try {
    return await work(service.as(token));
  } finally {
    await service.close();
  }
}

const FILE =
  'Sent,Your name,IP,message\n2019-05-06 07:08:09,Ada,192.0.2.1,Hello\n2020-02-29,Bob,192.0.2.2,Bye\nnever,Eve,,Broken\n';
const COLUMNS = ['--time', 'Sent', '--leave-out', 'IP', '--rename', 'Your name=name'];

async function write(name: string, content: string | Buffer = FILE): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const importing = (provider: string, file: string, ...words: string[]) =>
  run(database.settings, 'import', provider, file, '--form', form.identifier, ...words);

const stored = async (): Promise<SubmissionBody[]> =>
  (await asOwner((owner) => owner.get(pathOf(form)).expect(200))).body.submissions;

it('import counts first, stores then, and adds nothing the second time', async () => {
  const file = await write('export.csv');
  const counts = (imported: number, skipped: number) => ({
    code: 0,
    stdout: `{"imported":${imported},"skipped":${skipped},"broken":1}\n`,
    stderr: '',
  });

  expect(await importing('csv', file, ...COLUMNS, '--json', '--dry-run')).toEqual(counts(2, 0));
  expect(await stored()).toEqual([]);

  const words = ['import', 'csv', file, '--form', form.identifier, ...COLUMNS, '--json'];
  expect(await runProgram(database.settings, ...words)).toEqual(counts(2, 0));
  const told = (await stored()).map(({ created_at, values }) => [created_at, values]);
  expect(told).toEqual([
    ['2020-02-29T00:00:00.000Z', { name: 'Bob', message: 'Bye' }],
    ['2019-05-06T07:08:09.000Z', { name: 'Ada', message: 'Hello' }],
  ]);

  expect(await importing('csv', file, ...COLUMNS, '--json')).toEqual(counts(0, 2));
  expect(await importing('csv', file, ...COLUMNS, '--json', '--dry-run')).toEqual(counts(0, 2));
  expect(await stored()).toHaveLength(2);
});

it('import takes rows that are larger together than a statement can be', async () => {
  const line = (n: number) => `2019-05-06,${n},${'x'.repeat(200_000)}\n`;
  const lines = Array.from({ length: 100 }, (_, n) => line(n)).join('');
  const file = await write('large.csv', `Date,n,text\n${lines}`);
  const counts = '{"imported":100,"skipped":0,"broken":0}\n';
  expect((await importing('csv', file, '--json')).stdout).toBe(counts);
});

it('import tells people what is broken, and where', async () => {
  const file = await write('export.csv');
  expect((await importing('csv', file, ...COLUMNS, '--dry-run')).stdout).toBe(
    'Would import 2, skipped 0 (already there), broken 1.\nLine 4: We cannot read its time, "never".\n',
  );
  expect((await importing('csv', file, ...COLUMNS)).stdout).toMatch(/^Imported 2, skipped 0 /);
});

it('import reads files of other encodings and orders of days as asked, and says what it guesses', async () => {
  const text = 'Date;Name\n3/4/2023;Grüße\n';
  const file = await write('guess.csv', Buffer.from(text, 'latin1'));
  const dry = await importing('csv', file, '--dry-run');
  expect(dry.stdout).toContain('Would import 0, skipped 0 (already there), broken 1.\nThe file is not in UTF-8.');
  expect(dry.stdout).toContain('Does the day or the month come first?');
  const guessed = await importing('csv', file, '--dates', 'day_first');
  expect(guessed.stdout).toContain('choose an --encoding.');
  const words = ['--encoding', 'latin1', '--dates', 'day_first', '--dry-run'];
  expect((await importing('csv', file, ...words)).stdout).toBe(
    'Would import 0, skipped 1 (already there), broken 0.\n',
  );
  expect(await stored()).toMatchObject([{ created_at: '2023-04-03T00:00:00.000Z', values: { Name: 'Grüße' } }]);
});

it('import says what is wrong, and how to fix it: 2 for the words, 1 for what they name', async () => {
  const file = await write('export.csv');
  const answer = await write('answer.json', '{"message":"Unauthorized"}');
  const zip = await write('export.zip', Buffer.from('504b030414000000', 'hex'));
  const cut = await write('cut.json', '[{"id":1,"created_at":"2019-05-06","data":{"a":"b"}},{"id');
  const cases = [
    [['csv', join(folder, 'none.csv')], 2, `${folder}/none.csv does not exist. Check the path.`],
    [['csv', folder], 2, `${folder} is not a file. Name the exported file in it.`],
    [['geocities', file], 2, 'Allowed choices are formspree, netlify, '],
    [['csv', file, '--encoding', 'klingon'], 2, '--encoding takes an encoding such as utf-8'],
    [['csv', file, '--dates', 'us'], 2, 'Allowed choices are day_first, month_first.'],
    [['csv', file, '--rename', 'name'], 2, '--rename takes "column=name".'],
    [['csv', file, '--form', '0000000000000000'], 1, 'No form has the identifier "0000'],
    [['netlify', answer], 1, 'The file has no list of submissions: we look for'],
    [['csv', zip], 1, 'This is a packed file. Unpack it first, and import the file in it.'],
    [['netlify', cut, '--json'], 1, 'The file ends in the middle of the submission'],
  ] as const;
  for (const [words, code, said] of cases) {
    const [provider, name, ...more] = words;
    const { stderr, ...result } = await importing(provider, name, ...more);
    expect({ words, code: result.code, said: stderr.includes(said) }).toEqual({ ...{ words, code, said: true } });
  }
  // What stands before the cut was stored.
  expect(await stored()).toHaveLength(1);
});
