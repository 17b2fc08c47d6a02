/** Fills forms with submissions by SQL, with all that background tasks would have made of them. */
import { createHash } from 'node:crypto';
import { firstUuidAt } from '../build/platform/kernel/uuid.js';
import { BLOCK_ROWS, GROUP_ROWS, Postings, UNKNOWN_PART } from '../build/search/texts/postings.js';
import { SubmittedValues } from '../build/submissions/model/submitted-values.js';
import { digestsOf } from '../build/submissions/model/submitted-values.js';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Ids and times are spread over the days before today, from the first of so many to yesterday. */
const DAYS = 90;
const SPAN_MS = (DAYS - 1) * DAY_MS;
/** One of so many submissions has the rare words. */
export const RARE_EVERY = 10_000;
/** Words of two to ten letters, English letters more often, the same in each run. */
const VOCABULARY = vocabulary(5_000);
const NAMES = ['name', 'email', 'message'];
const ROWS_PER_TRANSACTION = 5_000;
const ROWS_PER_INSERT = 500;
/** Less than any server takes in one message, also as hexadecimal digits. */
const BYTES_PER_INSERT = 4 * 1024 * 1024;
/** Submissions after which is told how far it is. */
const TOLD_EVERY = 1_000_000;
/** The entries of the index of values are sorted in so many parts, by the first byte of their digests. */
const BUCKETS = 256;
const ENTRY_BYTES = 4 + 8 + 16;
/** Room for entries that are not spread evenly. */
const SPARE = 1.1;
/** Digests of a submission: of its three values, of the visitor's address, and of its page and origin. */
const DIGESTS = 6;
const CREATED = 'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?';
const MOVED = 'REPLACE INTO text_progress (id, moved_below) VALUES (1, ?)';

/** Where all submissions came from. */
const SOURCE = { origin: 'https://example.com', referer: 'https://example.com/contact', country: null };

const TABLES = {
  submissions: [
    ...['id', 'form_id', 'account_id', 'trash', 'spam', 'spam_reason', 'created_at', 'payload', 'search_text'],
    ...['origin', 'referer', 'user_agent', 'address'],
  ],
  submission_texts: ['form_id', 'id', 'text'],
  submission_values: ['form_id', 'digest', 'submission_id'],
  counters: ['form_id', 'length', 'name', 'begins', 'item', 'amount'],
  text_blocks: ['form_id', 'block', 'first_id', 'last_id', 'ids'],
  text_postings: ['form_id', 'part', 'block', 'lists'],
};

/** Returns when the first submission came, in milliseconds, when they are spread over the days before now. */
export function firstTime() {
  return Date.now() - DAYS * DAY_MS;
}

/** Returns the id of the `number`th of so many submissions that came from a moment on. */
export function idAt(from, number, rows, salt) {
  const id = createHash('sha256').update(`${salt}${number}`).digest().subarray(0, 16);
  id.writeUIntBE(from + Math.floor((number / rows) * SPAN_MS), 0, 6);
  id.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  return id;
}

/**
 * Inserts submissions with their texts as they come. What tasks make of them one by one is kept until `finish`, and
 * inserted in the order of its key, which is ten times as fast.
 */
export class Filler {
  /** Bytes of the texts so far. */
  textBytes = 0;
  #database;
  #from;
  #hours = new Map();
  #entries = [];
  #blocks = [];

  /** @param from when the first submission came, in milliseconds */
  constructor(database, from) {
    this.#database = database;
    this.#from = from;
  }

  /** Inserts submissions of a form, oldest first. @param salt makes their ids differ from other forms' */
  async fill(formId, rows, salt) {
    const entries = new Entries(rows);
    this.#entries.push(entries);
    let block = null;
    for (let from = 0; from < rows; from += ROWS_PER_TRANSACTION) {
      const submissions = [];
      const texts = [];
      for (let number = from; number < Math.min(rows, from + ROWS_PER_TRANSACTION); number++) {
        const id = idAt(this.#from, number, rows, salt);
        const payload = payloadOf(number);
        const values = SubmittedValues.decode(payload);
        const text = Buffer.from(values.searchText());
        this.textBytes += text.length;
        submissions.push(rowOf(formId, id, payload));
        texts.push([formId, id, text]);
        for (const digest of digestsOf({ values, ...SOURCE })) entries.add(formId, digest, id);
        this.#countHour(formId, id);
        if (number % BLOCK_ROWS === 0) block = newBlock(formId, number / BLOCK_ROWS + 1);
        if (rows >= BLOCK_ROWS) block.postings.add(block.ids.length, text);
        block.ids.push(id);
        if (block.ids.length === BLOCK_ROWS) this.#blocks.push(closed(block));
      }
      await this.#database.query('BEGIN');
      await this.#insert('submissions', submissions);
      await this.#insert('submission_texts', texts);
      await this.#database.query('COMMIT');
      if (from % TOLD_EVERY === 0 && from > 0) console.log(`${from} are there`);
    }
    await this.#database.query(CREATED, [rows, formId]);
  }

  /**
   * Inserts a few submissions of each of many forms, in the order of time over all of them.
   * @param rows how many each form gets
   */
  async fillEach(formIds, rows) {
    const entries = new Entries(formIds.length * rows);
    this.#entries.push(entries);
    let waiting = { submissions: [], texts: [] };
    const flush = async () => {
      await this.#database.query('BEGIN');
      await this.#insert('submissions', waiting.submissions);
      await this.#insert('submission_texts', waiting.texts);
      await this.#database.query('COMMIT');
      waiting = { submissions: [], texts: [] };
    };
    for (let number = 0; number < rows; number++) {
      for (const [index, formId] of formIds.entries()) {
        const id = idAt(this.#from, number, rows, `form ${formId} `);
        const payload = payloadOf(number * formIds.length + index);
        const values = SubmittedValues.decode(payload);
        waiting.submissions.push(rowOf(formId, id, payload));
        waiting.texts.push([formId, id, Buffer.from(values.searchText())]);
        for (const digest of digestsOf({ values, ...SOURCE })) entries.add(formId, digest, id);
        this.#countHour(formId, id);
        if (waiting.texts.length === ROWS_PER_TRANSACTION) await flush();
      }
    }
    if (waiting.texts.length > 0) await flush();
    for (const formId of formIds) await this.#database.query(CREATED, [rows, formId]);
  }

  #countHour(formId, id) {
    const key = `${formId} ${Math.floor(id.readUIntBE(0, 6) / HOUR_MS)}`;
    this.#hours.set(key, (this.#hours.get(key) ?? 0) + 1);
  }

  /** Inserts what is made of all submissions. */
  async finish() {
    await this.#inTransactions('submission_values', this.#sortedEntries());
    await this.#inTransactions('counters', this.#counts());
    await this.#inTransactions(
      'text_blocks',
      this.#blocks.map(({ formId, number, ids }) => {
        return [formId, number, ids.subarray(0, 16), ids.subarray(-16), firstOfGroups(ids)];
      }),
    );
    await this.#inTransactions('text_postings', postingsOf(this.#blocks));
    await this.#database.query(MOVED, [firstUuidAt(new Date(this.#from + SPAN_MS + HOUR_MS))]);
  }

  *#sortedEntries() {
    for (const entries of this.#entries) yield* entries.sorted();
  }

  *#counts() {
    const days = new Map();
    for (const [key, count] of this.#hours) {
      const [formId, hour] = key.split(' ').map(Number);
      for (const form of [formId, -1]) {
        for (const length of [1, 24, 768]) {
          const row = `${form} ${length} ${hour - (hour % length)}`;
          days.set(row, (days.get(row) ?? 0) + count);
        }
      }
    }
    for (const [key, count] of days) {
      const [form, length, begins] = key.split(' ').map(Number);
      yield [form, length, 'received', begins, 'submissions', count];
    }
  }

  async #inTransactions(table, rows) {
    let some = [];
    const flush = async () => {
      await this.#database.query('BEGIN');
      await this.#insert(table, some);
      await this.#database.query('COMMIT');
      some = [];
    };
    for (const row of rows) {
      some.push(row);
      if (some.length === ROWS_PER_TRANSACTION) await flush();
    }
    if (some.length > 0) await flush();
  }

  async #insert(table, rows) {
    const columns = TABLES[table];
    const marks = `(${columns.map(() => '?').join(',')})`;
    const step = Math.max(1, Math.min(ROWS_PER_INSERT, BYTES_PER_INSERT / bytesOf(rows[0])) | 0);
    for (let from = 0; from < rows.length; from += step) {
      const some = rows.slice(from, from + step);
      await this.#database.query(
        `INSERT INTO ${table} (${columns.join(',')}) VALUES ${some.map(() => marks).join(',')}`,
        some.flat(),
      );
    }
  }
}

/** Rows of large tables have all about the same. */
function bytesOf(row) {
  return row.reduce((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 8), 0);
}

function newBlock(formId, number) {
  return { formId, number, ids: [], postings: new Postings() };
}

/** Keeps what is stored of a full block, the parts in one piece with where each of them ends. */
function closed({ formId, number, ids, postings }) {
  const parts = [...postings.parts()].map(([, bytes]) => bytes);
  let end = 0;
  const ends = Uint32Array.from(parts, ({ length }) => (end += length));
  return { formId, number, ids: Buffer.concat(ids), ends, parts: Buffer.concat(parts) };
}

function firstOfGroups(ids) {
  const starts = Array.from({ length: ids.length / 16 / GROUP_ROWS }, (_, n) => n * GROUP_ROWS * 16);
  return Buffer.concat(starts.map((at) => ids.subarray(at, at + 16)));
}

/** Holds entries of the index of values outside of the heap, and sorts them. */
class Entries {
  #buckets;
  #used = new Uint32Array(BUCKETS);

  constructor(rows) {
    const size = Math.ceil((rows * DIGESTS * SPARE) / BUCKETS) + 1_000;
    this.#buckets = Array.from({ length: BUCKETS }, () => Buffer.allocUnsafe(size * ENTRY_BYTES));
  }

  add(formId, digest, id) {
    const at = parseInt(digest.slice(0, 2), 16);
    let offset = this.#used[at]++ * ENTRY_BYTES;
    // What all submissions have, such as their origin, is in one bucket.
    if (offset === this.#buckets[at].length) {
      this.#buckets[at] = Buffer.concat([this.#buckets[at], Buffer.allocUnsafe(offset)]);
    }
    const bucket = this.#buckets[at];
    bucket.writeUInt32BE(formId, offset);
    bucket.write(digest, (offset += 4), 'hex');
    id.copy(bucket, offset + 8);
  }

  *sorted() {
    for (const [at, bucket] of this.#buckets.entries()) {
      const rows = Array.from({ length: this.#used[at] }, (_, n) =>
        bucket.subarray(n * ENTRY_BYTES, (n + 1) * ENTRY_BYTES),
      );
      rows.sort((a, b) => a.compare(b));
      for (const row of rows) {
        yield [row.readUInt32BE(0), row.subarray(4, 12), row.subarray(12)];
      }
      this.#buckets[at] = Buffer.alloc(0);
    }
  }
}

function* postingsOf(blocks) {
  for (let part = 0; part <= UNKNOWN_PART; part++) {
    for (const { formId, number, ends, parts } of blocks) {
      yield [formId, part, number, parts.subarray(ends[part - 1] ?? 0, ends[part])];
    }
  }
}

function payloadOf(number) {
  const rare = number % RARE_EVERY === RARE_EVERY / 2 ? ' zebrafish crossing Ζέβρα' : '';
  const texts = [
    `Person ${number}`,
    `person-${number}@example.com`,
    `Hello, this is message number ${number}. I should like to know more about what you offer, and when you are open.${rare}${moreText(number)}`,
  ];
  return JSON.stringify(texts.map((text, index) => [NAMES[index], text]));
}

function rowOf(formId, id, payload) {
  const time = new Date(id.readUIntBE(0, 6)).toISOString().replace('T', ' ').replace('Z', '');
  return [
    ...[id, formId, 1, 0, 0, null, time, payload, ''],
    SOURCE.origin,
    SOURCE.referer,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    '203.0.113.0',
  ];
}

function vocabulary(count) {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const letters = 'etaoinshrdlucmfgypwbvkxjqz';
  const letter = () => letters[Math.floor(random() ** 2 * letters.length)];
  return Array.from({ length: count }, () => Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join(''));
}

/** Returns words that make a text 250 to 1,000 characters long with what is there; common ones come more often. */
function moreText(number) {
  let seed = number + 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const words = [''];
  for (let length = 50 + 750 * random(); length > 0;) {
    const word = VOCABULARY[Math.floor(random() ** 2 * VOCABULARY.length)];
    length -= word.length + 1;
    words.push(word);
  }
  return words.join(' ');
}
