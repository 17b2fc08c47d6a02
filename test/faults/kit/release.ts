import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpile } from '../../runner/transpile.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The program of a release, built from its commit. */
export class Release {
  private constructor(private readonly folder: string) {}

  /** Tells whether this clone has a commit: one without history lacks it. */
  static isHere(commit: string): boolean {
    const found = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
    return found.status === 0;
  }

  /** Builds it as tests are built, which takes seconds, and with the packages of this checkout. */
  static async build(commit: string): Promise<Release> {
    const folder = await mkdtemp(join(tmpdir(), 'fcs-release-'));
    const archive = join(folder, 'release.tar');
    execFileSync('git', ['archive', '--output', archive, commit, 'src', 'package.json'], { cwd: ROOT });
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const sources = join(folder, 'src');
    for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.spec)\.tsx?$/.test(name)) continue;
      const path = join(sources, name);
      await writeFile(path.replace(/\.tsx?$/, '.js'), transpile(path));
    }
    return new Release(folder);
  }

  /** The folder of the program. */
  get program(): string {
    return join(this.folder, 'src');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
