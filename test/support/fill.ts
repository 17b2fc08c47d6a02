import { createHash } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/sql.js';
import { timeOf } from '../../src/platform/kernel/uuid.js';
import { Counting } from '../../src/statistics/counting.service.js';
import { facetsOf, FACETS_NOW } from '../../src/submissions/model/facet.js';
import { receivedOf } from '../../src/submissions/rows/received.js';
import { BlockBuilder, TextMover } from '../../src/search/texts/block-builder.js';
import { encodeParts } from '../../src/submissions/verdicts/submission-verdict.entity.js';
import { SubmittedValues, digestsOf } from '../../src/submissions/model/submitted-values.js';
import { DAY_MS } from './clock.js';
import type { Service } from './service.js';

/** Submissions of one transaction: some thousands of rows, in statements below the largest packet. */
const ROWS_AT_ONCE = 500;
const SPAN_MS = 90 * DAY_MS;
/** All are older than what searches look for one by one. */
const NEWEST_MS = 15 * 60_000;

/** Where how many rows go, and whose the marks are. */
export interface Filled {
  accountId: number;
  formId: number;
  personId: number;
  reader: string;
  rows: number;
}

/**
 * Fills a form with submissions and with all that belongs to them, by SQL, spread over 90 days, oldest first. A third
 * of them has a star, two thirds of the older half a file, a tenth a note, and so on.
 */
export async function fill({ app }: Service, filled: Filled): Promise<void> {
  const { formId, rows } = filled;
  const unitOfWork = app.get(UnitOfWork);
  const counting = app.get(Counting);
  let counted = 0;
  for (let at = 0; at < rows; at += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - at) }, (_, n) => at + n);
    const received = numbers.map((n) => {
      const { spam, trash } = stateOf(n);
      counted += Number(spam + trash === 0);
      const sent = { ...sourceOf(n), values: SubmittedValues.decode(valuesOf(n)) };
      return { id: idOf(filled, n), formId, isSpam: spam === 1, facets: facetsOf(sent, 0) };
    });
    await unitOfWork.run(async (tx) => {
      await insertSome(tx, filled, numbers);
      await counting.addReceived(tx, receivedOf(received));
    });
  }
  const count = 'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?';
  await app.get(DataSource).query(count, [counted, formId]);
  await app.get(TextMover).moveAll({});
  await app.get(BlockBuilder).buildAll({ now: new Date() });
  if (process.env.TEST_DATABASE_URL) await analyse(app.get(DataSource));
}

/** Has a server look at its tables, which it does by itself some seconds later, and chooses indexes by. */
async function analyse(database: DataSource): Promise<void> {
  const tables = database.entityMetadatas.map(({ tableName }) => `\`${tableName}\``);
  await database.query(`ANALYZE TABLE ${tables.join(', ')}`);
}

async function insertSome(tx: EntityManager, filled: Filled, numbers: number[]): Promise<void> {
  const { accountId, formId, personId, reader } = filled;
  const all = numbers.map((n) => {
    const id = idOf(filled, n);
    const values = valuesOf(n);
    return { n, id, values, at: sqlDate(timeOf(id)), ...stateOf(n) };
  });
  const some = (every: number, rest: number) => all.filter(({ n }) => n % every === rest);
  const most = all.filter(({ n }) => n % 3 > 0);
  const own = (id: Buffer, kind: number) => {
    const other = Buffer.from(id);
    other.writeUInt8(kind, 15);
    return other;
  };
  const tables: [string, string, unknown[][]][] = [
    [
      'submissions',
      'id,form_id,account_id,trash,spam,done,spam_code,spam_reason,created_at,payload,search_text,origin,referer,country,facets',
      all.map(({ n, id, trash, spam, done, at, values }) => [
        ...[id, formId, accountId, trash, spam, done],
        ...[...(spam ? ['words', 'Words'] : [null, null]), at],
        ...[values, '', ...Object.values(sourceOf(n)), FACETS_NOW],
      ]),
    ],
    [
      'submission_texts',
      'form_id,id,text',
      all.map(({ id, values }) => {
        const text = SubmittedValues.decode(values).searchText();
        return [formId, id, Buffer.from(text)];
      }),
    ],
    [
      'submission_values',
      'form_id,digest,submission_id',
      all.flatMap(({ n, id, values }) =>
        digestsOf({ ...sourceOf(n), values: SubmittedValues.decode(values) }).map((digest) => {
          return [formId, Buffer.from(digest, 'hex'), id];
        }),
      ),
    ],
    [
      'submission_marks',
      'submission_id,mark,form_id',
      [
        ...most.map(({ id }) => [id, 'starred', formId]),
        ...most.map(({ id }) => [id, 'tag:urgent', formId]),
        ...some(3, 2).map(({ id }) => [id, `assigned:${personId}`, formId]),
      ],
    ],
    ['read_exceptions', 'form_id,reader,submission_id', some(3, 1).map(({ id }) => [formId, reader, id])],
    [
      'submission_verdicts',
      'submission_id,form_id,band,parts',
      most.map(({ id }) => {
        const parts = encodeParts([{ name: 'links', points: 4, reason: 'Links' }]);
        return [id, formId, 'held', parts];
      }),
    ],
    [
      'deliveries',
      'id,form_id,submission_id,kind,recipient,recipient_key,state,scheduled_attempts,settled_at',
      some(2, 0).map(({ n, id, at }) => [
        ...[own(id, 1), formId, id, n % 4 === 0 ? 'webhook' : 'owner_email'],
        ...['https://example.com', 'example.com', n % 6 === 0 ? 'failed' : 'delivered', 1, at],
      ]),
    ],
    [
      'attempts',
      'id,delivery_id,at,duration_ms,cause,outcome',
      some(2, 0).map(({ id, at }) => [own(id, 2), own(id, 1), at, 5, 'schedule', 'delivered']),
    ],
    [
      'files',
      'id,form_id,submission_id,position,field,name,media_type,size,sha256',
      // The newer half has none: they are not met by the way.
      most
        .filter(({ n }) => n < filled.rows / 2)
        .map(({ id }) => [...[own(id, 3), formId, id, 0, 'cv', 'cv.pdf', 'application/pdf', 1, Buffer.alloc(32)]]),
    ],
    [
      'submission_notes',
      'id,form_id,submission_id,author_kind,author_name,text',
      some(10, 2).map(({ id }) => [own(id, 4), formId, id, 'person', 'Jane', 'Call back']),
    ],
    [
      'audit_entries',
      'id,at,account_id,actor_kind,actor_id,actor_name,action,target_kind,target_id,target_name',
      some(2, 1).map(({ n, id, at }) => [
        ...[own(id, 5), at, accountId, 'person', personId, 'Jane'],
        ...[n % 500 === 1 ? 'form.created' : 'submission.viewed', 'submission', `${n}`, null],
      ]),
    ],
    [
      'spam_lessons',
      'submission_id,account_id,form_id,said,pending',
      some(10, 1).map(({ id }) => [id, accountId, formId, 'ham', 0]),
    ],
  ];
  for (const [table, columns, rows] of tables) {
    await runStatements(tx, insertStatement(table, columns.split(','), rows));
  }
}

function stateOf(n: number): { trash: number; spam: number; done: number } {
  return { trash: Number(n % 20 === 11), spam: Number(n % 10 === 5), done: Number(n % 3 === 0) };
}

/** Most from one page, and the others from one of 150. */
function sourceOf(n: number) {
  const page = n % 3 > 0 ? '/contact' : `/products/${n % 450}`;
  const origin = 'https://example.com';
  return { origin, referer: `${origin}${page}?from=ad`, country: n % 4 > 0 ? 'NO' : 'SE' };
}

/** The same city in all, an address of its own, and a word that few have. */
function valuesOf(n: number): string {
  const rare = n % 10 === 7 ? ' zebrafish crossing' : '';
  const values = [
    ['name', `Person ${n}`],
    ['city', 'Oslo'],
    ['email', n % 3 > 0 ? 'often@example.com' : `person-${n}@example.com`],
    ['message', `Hello, this is message ${n} about the wedding cake.${rare}`],
  ];
  return JSON.stringify(values);
}

const first = Date.now() - NEWEST_MS - SPAN_MS;

/** Returns the id of a submission. */
export function idOf({ formId, rows }: Pick<Filled, 'formId' | 'rows'>, n: number): Buffer {
  const id = createHash('sha256').update(`${formId} ${n}`).digest().subarray(0, 16);
  id.writeUIntBE(Math.floor(first + (n / rows) * SPAN_MS), 0, 6);
  id.writeUInt16BE(0x7000 | (n & 0xfff), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  id.writeUInt8(0, 15);
  return id;
}
