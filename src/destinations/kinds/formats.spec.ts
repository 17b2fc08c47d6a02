import type { SubmittedFile } from '../../submissions/files/submitted-file.entity.js';
import type { Form } from '../../forms/model/form.entity.js';
import { sampleSubmission } from '../../submissions/model/sample-submission.js';
import { FORMATS, type FormatName } from './formats.js';

const ID = '00000000-0000-7000-8000-000000000000';
const AT = '2026-01-05T14:30:00.000Z';
const LINK = 'https://forms.example/files/x';
const FIELDS = '"first_name":"Zoë 🌱","10":["a","b"],"order":{"n":12345678901234567890}';

/** A submission without an email, with a repeated name, nested JSON and a file. */
function bodyOf(format: FormatName) {
  const form = { id: 7, name: 'Contact', identifier: 'e84c332cf237dffa' } as Form;
  const submission = Object.assign(sampleSubmission(7, new Date(AT), 'https://example.com'), {
    payload: '[["first_name","Zoë 🌱"],["10","a"],["10","b"],["order",{"n":12345678901234567890}]]',
    address: '192.0.2.1',
  });
  const file = {
    id: Buffer.alloc(16),
    ...{ field: 'cv', name: 'cv.pdf', mediaType: 'application/pdf', size: 11 },
    sha256: Buffer.alloc(32),
  } as SubmittedFile;
  return FORMATS[format].write({ form, submission, files: [file] }, { fileLinks: [LINK] });
}

it.each([
  ['flat', `{${FIELDS},"cv":"${LINK}"}`],
  ['web3forms', `{${FIELDS},"cv":"${LINK}","submittedAt":"${AT}"}`],
  ['basin', `{${FIELDS},"id":"${ID}","attachments":[{"attachment_proxy_url":"${LINK}","public_url":"${LINK}"}]}`],
  [
    'basin-wrapped',
    `{"data":{${FIELDS},"id":"${ID}","attachments":[{"attachment_proxy_url":"${LINK}","public_url":"${LINK}"}]}}`,
  ],
  [
    'basin-customerio',
    `{"data":{${FIELDS},"submission_id":"${ID}","attachments":[{"attachment_proxy_url":"${LINK}","public_url":"${LINK}"}]}}`,
  ],
  [
    'basin-form',
    `first_name=Zo%C3%AB+%F0%9F%8C%B1&10=a&10=b&order=%7B%22n%22%3A12345678901234567890%7D&cv=https%3A%2F%2Fforms.example%2Ffiles%2Fx&id=${ID}`,
  ],
  [
    'formspree',
    `{"form":"e84c332cf237dffa","keys":["first_name","10","order","cv"],"submission":{"_date":"${AT}",${FIELDS},"cv":"${LINK}"}}`,
  ],
  [
    'netlify',
    `{"id":"${ID}","number":null,"title":null,"email":null,"name":"Zoë 🌱","first_name":"Zoë 🌱","last_name":null,"company":null,"summary":null,"body":null,"data":{${FIELDS},"cv":{"filename":"cv.pdf","type":"application/pdf","size":11,"url":"${LINK}"},"ip":"192.0.2.1","user_agent":null,"referrer":null},"created_at":"${AT}","human_fields":{"First Name":"Zoë 🌱","10":["a","b"],"Order":{"n":12345678901234567890},"Cv":{"filename":"cv.pdf","type":"application/pdf","size":11,"url":"${LINK}"}},"ordered_human_fields":[{"title":"First Name","name":"first_name","value":"Zoë 🌱"},{"title":"10","name":"10","value":["a","b"]},{"title":"Order","name":"order","value":{"n":12345678901234567890}},{"title":"Cv","name":"cv","value":{"filename":"cv.pdf","type":"application/pdf","size":11,"url":"${LINK}"}}],"form_id":"e84c332cf237dffa","form_name":"Contact","site_url":"https://example.com"}`,
  ],
  [
    'forminit',
    `{"event":"form.submitted","formName":"Contact","id":"${ID}","submissionStatus":"Open","data":{${FIELDS},"file-cv":{"file":"${LINK}","size":11,"name":"cv.pdf"},"sender":{},"submissionDate":"05-01-2026 14:30","submissionDateISO":"${AT}","submission_info":{"ip":"192.0.2.1","user_agent":null,"referer":null,"country":null}}}`,
  ],
  [
    'formward',
    `{"formId":"e84c332cf237dffa","formName":"Contact","submissionId":"${ID}","createdAt":"${AT}","status":"new","fields":{${FIELDS},"cv":"${LINK}"},"ai":{}}`,
  ],
  [
    'standard',
    `{"type":"submission.received","timestamp":"${AT}","data":{"form":{"id":7,"name":"Contact","identifier":"e84c332cf237dffa"},"submission":{"id":"${ID}","created_at":"${AT}","values":{${FIELDS}},"files":[{"id":"${ID.replace('7000-8', '0000-0')}","field":"cv","name":"cv.pdf","type":"application/pdf","size":11,"sha256":"${'0'.repeat(64)}","url":"${LINK}"}],"origin":"https://example.com"}}}`,
  ],
] as const)('A format %s writes exactly this', (format, text) => {
  expect(bodyOf(format)).toBe(text);
});
