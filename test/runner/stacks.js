import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';

/** Source maps by path. Most files are never asked for. */
const maps = new Map();

/** Writes the stack of an error with the lines of the sources and without the runner, for `Error.prepareStackTrace`. */
export function describeStack(error, frames) {
  const lines = frames.map(String).filter((frame) => !frame.includes('/test/runner/'));
  const stack = lines.map((frame) => `\n    at ${withSource(frame)}`);
  return `${Error.prototype.toString.call(error)}${stack.join('')}`;
}

function withSource(frame) {
  return frame.replace(
    /(file:[^?()]+\.(?:js|tsx?))(?:\?run=\d+)?:(\d+):(\d+)/,
    (_, url, line, column) => {
      const path = fileURLToPath(url);
      if (path.endsWith('.js')) return `${path}:${line}:${column}`;
      if (!maps.has(path)) maps.set(path, new SourceMap(JSON.parse(compile(path).map)));
      const entry = maps.get(path).findEntry(line - 1, column - 1);
      const { originalLine = line - 1, originalColumn = column - 1 } = entry;
      return `${path}:${originalLine + 1}:${originalColumn + 1}`;
    },
  );
}
