/** Stores a submission for baselines (a) and (c): in a transaction of its own, whatever answers the request. */
import { formatId, makeId, submissionRow } from './by-hand.js';
import { keepFiles } from './files.js';
import { transact } from './pool.js';
import { ADD_TO_COUNT, FIND_FORM, INSERT_FILES, INSERT_SUBMISSIONS } from './sql.js';

/** @returns the answer to the visitor, once it is committed */
export async function store(identifier, fields, files, request) {
  const id = makeId();
  await transact(async (connection) => {
    const [[form]] = await connection.execute(FIND_FORM, [identifier]);
    if (!form) throw new Error('no such form');
    const row = submissionRow(id, form.id, fields, request);
    await connection.execute(`${INSERT_SUBMISSIONS} (?,?,?,?,?,?,?,?,?,?)`, row);
    for (const file of await keepFiles(files, form.id, id)) {
      await connection.execute(`${INSERT_FILES} (?,?,?,?,?,?,?,?,?)`, file);
    }
    await connection.execute(ADD_TO_COUNT, [1, form.id]);
  });
  return { success: true, id: formatId(id) };
}
