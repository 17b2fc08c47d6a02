/**
 * Makes docs/inbox.png and docs/first-minute.png anew: starts the built service with sample data in a temporary
 * folder, becomes its owner in Chromium and takes a picture of the inbox, and one of the page of a new form, which
 * waits for its first submission. CHROMIUM names the browser (/usr/bin/chromium).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const PORT = '3999';
const BASE_URL = `http://localhost:${PORT}`;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

const FORMS = ['Contact', 'Orders'];
const VISITORS = [
  [
    'Ann Smith',
    'ann@example.com',
    'Do you bake for weddings? We are eighty people and marry in June.',
  ],
  ['Jürgen Großmann', 'juergen@example.com', 'Haben Sie am Sonntag geöffnet?'],
  ['ليلى حسن', 'layla@example.com', 'هل لديكم خبز بدون غلوتين؟'],
  [
    'Marie Dubois',
    'marie@example.com',
    'Bonjour, deux tartes aux pommes pour samedi, s’il vous plaît.',
  ],
  ['Tom Baker', 'tom@example.com', 'Loved the rye bread. Thanks!'],
];

const folder = mkdtempSync(join(tmpdir(), 'fcs-picture-'));
const service = spawn(process.execPath, [MAIN], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    PORT,
    BASE_URL,
    DATA_DIR: folder,
    ACCOUNT_NAME: 'Bakery',
    ACCOUNT_EMAIL: 'owner@example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
    LOG_LEVEL: 'silent',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const { token, link } = await firstStart();
  for (const [index, name] of FORMS.entries()) {
    const { identifier } = await call(token, '/api/v1/forms', { form: { name } });
    for (const [who, email, message] of VISITORS.slice(index, index + 4)) {
      await call(token, `/f/${identifier}`, { name: who, email, message });
    }
  }
  await takePictures(link);
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Reads what the first start prints: the token of the account, and the link to become its owner. */
function firstStart() {
  return new Promise((resolve) => {
    let text = '';
    service.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const token = /fcs_[0-9A-Za-z]{36}/.exec(text)?.[0];
      const link = /http:\S+\/setup#\S+/.exec(text)?.[0];
      if (token && link) resolve({ token, link });
    });
  });
}

async function call(token, path, body) {
  const response = await fetch(BASE_URL + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function takePictures(link) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1100, height: 720 } });
  await page.goto(link);
  await page.fill('[name=email]', 'owner@example.com');
  await page.fill('[name=name]', 'Olive Baker');
  await page.fill('[name=password]', 'seven loaves of rye bread');
  await page.click('main [type=submit]');
  await page.waitForURL('**/inbox');
  await page.goto(`${BASE_URL}/inbox`);
  await page.screenshot({ path: join(DOCS, 'inbox.png') });

  await page.goto(`${BASE_URL}/new-form`);
  await page.fill('[name="form.name"]', 'Wedding cakes');
  await page.click('main [type=submit]');
  await page.waitForURL(/\/forms\/./);
  await page.screenshot({ path: join(DOCS, 'first-minute.png') });
  await browser.close();
}
