/** Runs the built service with sample data in a temporary folder, for pictures of its pages. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const PORT = '3999';

export const BASE_URL = `http://localhost:${PORT}`;
export const OWNER = { email: 'owner@example.com', name: 'Olive Baker' };

/**
 * Starts the service, calls `use`, and ends the service with its data.
 * @param use takes the token of the account and the link by which its owner is set up
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
    await use(await firstStart(service));
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
