import { formatUuid } from '../../platform/index.js';
import { fieldsOf, objectOf } from './formats.js';
import { objectIn, refusedIn, SECRET_ADDRESS, type DestinationKind } from './kind.js';

/** Adds a row to a sheet, by a script of the sheet that docs/destinations.md has. */
export const googleSheets: DestinationKind = {
  label: 'Google Sheets',
  hint: 'In the sheet, open Extensions and Apps Script, paste the script from our documentation, deploy it as a web app for anyone and copy its URL.',
  settings: {
    url: SECRET_ADDRESS,
    secret: { label: 'Secret', hint: 'The one in your script.', max: 255, isSecret: true },
  },
  request: (full, { url = '', secret = '' }, { id, fileLinks, page }) => {
    const { form, submission, files } = full;
    const facts = {
      ...{ id, secret, form: form.name, page },
      submission_id: formatUuid(submission.id),
      received_at: submission.createdAt.toISOString(),
      files: files.map(({ field, name }, index) => ({ field, name, url: fileLinks[index] ?? '' })),
    };
    // Written by hand, since it keeps long numbers.
    const body = `${JSON.stringify(facts).slice(0, -1)},"fields":${objectOf(fieldsOf(full))}}`;
    return { url, headers: { 'content-type': 'application/json' }, body, followsTo: RESULTS };
  },
  /** The web app cannot set a status: its answer says how it went. */
  read: (ended) => refusedIn(ended, (body) => objectIn(body).ok === true),
};

/** Where a web app sends us for its answer, after it has run. */
const RESULTS = 'script.googleusercontent.com';
