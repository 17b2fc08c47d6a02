/**
 * Draws mails as people see them: writes samples of all kinds as HTML and as text, and takes pictures of them
 * in Chromium, narrow and wide, light and dark. `npm run mails -- FOLDER`; CHROMIUM names the browser
 * (/usr/bin/chromium).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { digestMail } from '../build/mail/messages/owner-mail.js';
import { confirmationMail, exportMail, mentionMail, noticeMail } from '../build/mail/messages/person-mails.js';
import { ownerMail } from '../build/mail/messages/owner-mail.js';
import { browserMail, changeMail, invitationMail, signInMail } from '../build/mail/messages/person-mails.js';
import { optInMail, submitterMail } from '../build/mail/messages/form-mails.js';
import { FieldLabels } from '../build/forms/model/field-labels.js';
import { makeUuid } from '../build/platform/kernel/uuid.js';
import { Verdict } from '../build/spam/evidence/verdict.js';
import { SubmittedValues } from '../build/submissions/model/submitted-values.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const WIDTHS_PX = [390, 700, 1200];

const BASE_URL = 'https://forms.example.com';
const FROM = { name: 'Forms', address: 'forms@example.com' };
const BY = { name: 'The Bakery', from: FROM, replyTo: null, via: null, baseUrl: BASE_URL };
const CONFIG = { mail: { fromDomains: [] } };
const TO = 'owner@example.com';
const NOW = new Date();
const ANN = { email: TO, name: 'Ann' };
const OCCASION = { at: NOW, address: '203.0.113.7' };

const CONTACT = [
  ['first_name', 'Ann'],
  ['last_name', 'Smith'],
  ['email', 'ann@example.org'],
  ['phone', ''],
  ['message', 'Do you bake for weddings?\n\nWe are eighty people and marry in June.'],
];
const FIELDS = Array.from({ length: 30 }, (_, index) => [`question_${index + 1}`, 'Yes, gladly.']);
const RIGHT_TO_LEFT = [
  ['الاسم', 'ليلى حسن'],
  ['name', 'ليلى 🎂'],
  ['email', 'layla@example.org'],
  ['رسالة', 'هل لديكم خبز بدون غلوتين؟\nشكرا جزيلا 🙏🏽'],
  ['message', 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen '.repeat(3)],
];
const LONG = [...CONTACT.slice(0, 3), ['cover_letter', 'I have baked bread. '.repeat(2_600)]];
const FILES = [
  { id: makeUuid(), field: 'cv', name: 'Lebenslauf Müller.pdf', size: 248_000 },
  { id: makeUuid(), field: 'photo', name: `${'a-very-long-name-'.repeat(8)}.jpeg`, size: 3_400_000 },
];

const form = formOf('Contact');
const samples = {
  owner: owner(CONTACT),
  'owner-fields': owner(FIELDS),
  'owner-long': owner(LONG),
  'owner-unicode': owner(RIGHT_TO_LEFT),
  'owner-files': owner(CONTACT, FILES),
  'owner-bare': owner([['message', 'Hello']]),
  digest: digestMail(
    {
      id: makeUuid(),
      accountName: 'Bakery',
      count: '12',
      hour: NOW,
      first: [CONTACT, RIGHT_TO_LEFT, LONG, FIELDS].map((values) => submissionOf(values)),
    },
    BASE_URL,
    FROM,
    TO,
  ),
  visitor: submitterMail(submissionOf(CONTACT), CONFIG, 'ann@example.org', BY, null, []),
  'opt-in': optInMail(form, makeUuid(), `${BASE_URL}/opt-in/AbC123`, BY, null, CONFIG, 'ann@example.org'),
  confirmation: confirmationMail('Bakery', `${BASE_URL}/recipients/AbC123`, FROM, TO),
  invitation: invitationMail(
    FROM,
    { email: TO, name: 'Ann', expiresAt: NOW },
    'Bakery',
    'Bob Jones',
    `${BASE_URL}/invitation#AbC123`,
  ),
  'sign-in': signInMail(FROM, {
    email: TO,
    link: `${BASE_URL}/sign-in/link#AbC123`,
    code: '123 456',
    minutes: 15,
    address: '203.0.113.7',
  }),
  change: changeMail(FROM, ANN, 'passkey-added', OCCASION),
  browser: browserMail(FROM, ANN, 'Firefox on Windows', OCCASION),
  notice: noticeMail(form, null, BASE_URL, FROM, TO),
  mention: mentionMail(
    form,
    { submissionId: makeUuid(), authorName: 'Bob Jones', text: '@Ann, can you call them?\n\nThey ask for eighty.' },
    BASE_URL,
    FROM,
    TO,
  ),
  'export-ready': exportMail(
    form,
    { id: makeUuid(), line: 'is:done from:30d', done: 12_345, endedAt: NOW },
    BASE_URL,
    FROM,
    TO,
  ),
};

const [folder = 'mails'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
  for (const [name, { subject, html, text }] of Object.entries(samples)) {
    writeFileSync(join(folder, `${name}.html`), html);
    writeFileSync(join(folder, `${name}.txt`), `${subject}\n\n${text}`);
    console.log(`${name}: ${Buffer.byteLength(html)} bytes`);
    for (const width of WIDTHS_PX) for (const scheme of ['light', 'dark']) await draw(name, width, scheme);
  }
} finally {
  await browser.close();
}

async function draw(name, width, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) console.log(`${name} is ${wide} px wide on a screen of ${width} px`);
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  await page.close();
}

function owner(values, files = []) {
  const fileLinks = files.map(() => `${BASE_URL}/files/AbC123`);
  const about = { accountName: 'Bakery', fileLinks, baseUrl: BASE_URL, verdict: Verdict.CLEAN };
  const rest = { scans: new Map(), template: null, attachments: [] };
  const full = { ...submissionOf(values), files };
  return ownerMail(full, { ...about, ...rest }, FROM, TO);
}

function submissionOf(values) {
  const id = makeUuid();
  const submission = {
    id,
    createdAt: NOW,
    values: SubmittedValues.ofPairs(values),
    referer: 'https://www.bakery.example/contact',
    origin: null,
  };
  return { form, submission, files: [] };
}

function formOf(name) {
  return {
    name,
    identifier: '0123456789abcdef',
    labels: new FieldLabels([]),
    previewFields: null,
    webhookUrl: 'https://hooks.example.com/contact',
    submissionText: 'Thank you!\n\nWe have got your message and answer within two days.\n\nThe bakers',
    notifySubmitterFrom: null,
    notifySubmitterFromName: 'The Bakery',
    notifySubmitterSubject: null,
    notifySubmitterBody: null,
    visitorMail: null,
  };
}
