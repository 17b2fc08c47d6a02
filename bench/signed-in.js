/** Pages for people who sign in, as their browser gets them. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const OWNER = { email: 'owner@example.com', password: 'pages of the benchmark' };

/**
 * Makes an owner of the first account, and signs in.
 * @param base address of the service
 * @param folder its DATA_DIR
 * @param url its database; undefined for the embedded one
 * @returns a function that gets a page from an address of the service; it returns the text and throws when that is not a page
 */
export async function signIn(base, folder, url) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [CLI, 'people', 'create', '--email', OWNER.email, '--name', 'Owner', '--role', 'owner', '--password-stdin'],
    {
      input: OWNER.password,
      encoding: 'utf8',
      cwd: folder, // away from a developer's .env
      env: { PATH: process.env.PATH, DATA_DIR: folder, ...(url && { DATABASE_URL: url }) },
    },
  );
  // An earlier run on the same database made her.
  if (status !== 0 && !stderr.includes('already')) throw new Error(stderr);
  return pagesFor(base, OWNER.email);
}

/** Signs somebody in who has the password of that owner, and returns the same. */
export async function pagesFor(base, email) {
  const answer = await fetch(`${base}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...OWNER, email }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (from, path) => {
    const page = await fetch(from + path, { redirect: 'manual', headers: { Cookie: cookie } });
    const text = await page.text();
    if (page.status !== 200) throw new Error(`${path}: ${page.status} ${text.slice(0, 200)}`);
    return text;
  };
}
