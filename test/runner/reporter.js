import { statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Tells file by file how far a run is, and writes what came of it to the file TEST_REPORT, for `run.js`. */
export default class Reporter {
  begun = performance.now();
  doneBytes = 0;
  files = [];

  onTestFileResult({ path }, result, { numTotalTestSuites: total }) {
    const { numPassingTests, numFailingTests, numPendingTests, failureMessage, perfStats } = result;
    const file = {
      path: relative(process.cwd(), path),
      seconds: (perfStats.end - perfStats.start) / 1_000,
      passed: numPassingTests,
      // A file may fail as a whole, before or after its tests.
      failed: Math.max(numFailingTests, failureMessage ? 1 : 0),
      skipped: numPendingTests,
      reasons: result.skips ?? [],
      message: failureMessage ? `${failureMessage}${result.output ?? ''}` : '',
    };
    this.files.push(file);
    const done = this.files.length;
    const left = this.secondsLeft(path, total - done);
    const state = file.failed > 0 ? 'FAILED ' : '';
    console.log(`${state}${done} of ${total}, ${inWords(left)} left: ${file.path}, ${file.seconds.toFixed(1)} s`);
    if (file.message) console.log(file.message);
  }

  onRunComplete(_, { runExecError }) {
    const report = { files: this.files, error: runExecError?.message ?? null };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
    else console.log(this.files.some(({ failed }) => failed > 0) ? 'Some failed.' : 'All passed.');
    // What a file left would keep a process that runs all by itself; the file has failed, by name.
    setTimeout(() => process.exit(), 5_000).unref();
  }

  /** Estimates what is left: the largest files come first, so that the others are about half as large as the latest. */
  secondsLeft(path, files) {
    const bytes = statSync(path).size;
    this.doneBytes += bytes;
    const seconds = (performance.now() - this.begun) / 1_000;
    return (seconds / this.doneBytes) * (files * bytes * 0.5);
  }
}

function inWords(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
