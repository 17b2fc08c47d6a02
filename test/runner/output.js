/** Collects what the tests of a file write to stdout and stderr, which is shown when one of them fails. */
export function collectOutput() {
  const streams = [process.stdout, process.stderr];
  const chunks = [];
  for (const stream of streams) {
    stream.write = (chunk, encoding, done = encoding) => {
      chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  return {
    text: () => chunks.join(''),
    end: () => {
      for (const stream of streams) Reflect.deleteProperty(stream, 'write');
    },
  };
}
