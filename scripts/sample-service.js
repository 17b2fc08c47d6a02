/** Runs the built service with sample data in a temporary folder, for pictures of its pages. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { chromium } from 'playwright-core';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const PORT = '3999';
const HOUR_MS = 60 * 60 * 1_000;

export const BASE_URL = `http://localhost:${PORT}`;
export const OWNER = { email: 'owner@example.com', name: 'Olive Baker' };

/**
 * Starts the service, calls `use`, and ends the service with its data.
 * @param use takes the token of the account, the link by which its owner is set up, and the file of the database
 */
export async function withService(use) {
  const folder = mkdtempSync(join(tmpdir(), 'fcs-sample-'));
  const service = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT,
      BASE_URL,
      DATA_DIR: folder,
      ACCOUNT_NAME: 'Bakery',
      ACCOUNT_EMAIL: OWNER.email,
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await use({ ...(await firstStart(service)), database: join(folder, 'database.sqlite') });
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Reads the token of the account and the setup link from the output of the first start. */
function firstStart(service) {
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

/** Calls the API, or submits to a form. @returns the parsed answer */
export async function call(token, path, body, method = 'POST') {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/**
 * Lets a form have lived for some weeks: on weekdays something came to it, until so many hours ago.
 * @param watch what the last look found
 */
export function giveHistory(database, formId, { weeks, hoursAgo, ...watch }) {
  const rows = new Database(database, { timeout: 10_000 });
  const now = Math.floor(Date.now() / HOUR_MS);
  const { account } = rows.prepare('SELECT account_id AS account FROM forms WHERE id = ?').get(formId);
  const add = rows.prepare(
    `INSERT INTO counters (form_id, length, name, begins, item, amount)
      VALUES (?, ?, 'received', ?, 'submissions', 1)
      ON CONFLICT (form_id, length, name, begins, item) DO UPDATE SET amount = amount + 1`,
  );
  rows.transaction(() => {
    for (let hour = now - weeks * 7 * 24; hour <= now - hoursAgo; hour++) {
      const [day, time] = [Math.floor(hour / 24), hour % 24];
      // 1970 began on a Thursday. The weather decides whether somebody writes.
      const isWorkday = (day + 3) % 7 < 5;
      if (time < 7 || time > 19 || (hour * 7919) % 100 > (isWorkday ? 45 : 12)) continue;
      for (const id of [formId, -account]) {
        for (const length of [1, 24, 768]) add.run(id, length, hour - (hour % length));
      }
    }
    const created = new Date((now - weeks * 7 * 24) * HOUR_MS);
    rows
      .prepare('UPDATE forms SET created_at = ? WHERE id = ?')
      .run(created.toISOString().replace('T', ' ').replace('Z', ''), formId);
    const { state, silentInHours, signs = null } = watch;
    const moment = (hours) => new Date((now + hours) * HOUR_MS).toISOString().replace('T', ' ').replace('Z', '');
    rows
      .prepare(
        `INSERT OR REPLACE INTO form_watches (form_id, account_id, level, state, next_at, last_hour, silent_from, signs)
          VALUES (?, ?, 'normal', ?, ?, ?, ?, ?)`,
      )
      .run(formId, account, state, moment(1), now - hoursAgo, moment(silentInHours), signs && JSON.stringify(signs));
  })();
  rows.close();
}

/** Starts Chromium; CHROMIUM names the program (/usr/bin/chromium). */
export function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Makes the person of a page the owner. */
export async function becomeOwner(page, link) {
  await page.goto(link);
  await page.fill('[name=email]', OWNER.email);
  await page.fill('[name=name]', OWNER.name);
  await page.fill('[name=password]', 'seven loaves of rye bread');
  await page.press('[name=password]', 'Enter');
  await page.waitForURL('**/inbox');
}
