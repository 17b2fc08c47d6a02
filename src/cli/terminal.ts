import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refused, reasonOf } from './command.js';

/** The person ended the questions. */
class Canceled extends Refused {}

/** Asks a person at the terminal. */
export class Terminal {
  private isSilent = false;
  private readonly lines: Interface;
  private readonly closed: Promise<unknown>;

  constructor() {
    const output = new Writable({
      write: (text: Buffer, _, done) => {
        if (!this.isSilent) process.stdout.write(text);
        done();
      },
    });
    Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
    this.lines = createInterface({
      input: process.stdin,
      output,
      terminal: true,
      historySize: 0, // it would show passwords again
    });
    this.closed = once(this.lines, 'close');
  }

  /**
   * Returns what is typed, or the proposal if that is nothing.
   * @throws Canceled on Ctrl+C and Ctrl+D
   */
  async ask(question: string, proposal = ''): Promise<string> {
    const shown = proposal === '' ? '' : ` [${proposal}]`;
    return (await this.read(`${question}${shown}: `)).trim() || proposal;
  }

  /** Returns what is typed, which is not shown. @throws Canceled */
  async askSecretly(question: string): Promise<string> {
    process.stdout.write(`${question}: `);
    this.isSilent = true;
    try {
      return await this.read('');
    } finally {
      this.isSilent = false;
      process.stdout.write('\n');
    }
  }

  /** @throws Canceled */
  async confirm(question: string, proposal: boolean): Promise<boolean> {
    for (;;) {
      const answer = await this.ask(`${question} [${proposal ? 'Y/n' : 'y/N'}]`);
      if (answer === '') return proposal;
      if (/^y(?:es)?$/i.test(answer)) return true;
      if (/^no?$/i.test(answer)) return false;
      process.stdout.write('Answer y or n.\n');
    }
  }

  /** Repeats what asks until it succeeds, and says each time why it does not. @throws Canceled */
  async until<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof Canceled) throw error;
        process.stdout.write(`  ${reasonOf(error)}\n`);
      }
    }
  }

  close(): void {
    this.lines.close();
  }

  /** Resolves with a line. A question that is pending when the terminal is closed is rejected by Ctrl+C alone. */
  private async read(prompt: string): Promise<string> {
    const answer = this.lines.question(prompt).catch(() => null);
    const line = await Promise.race([answer, this.closed]);
    if (typeof line === 'string') return line;
    throw new Canceled('\nCanceled. Nothing was written.');
  }
}
