import type { Response } from 'express';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sendStream } from './sends.js';

/** Sends the content to a client; tells what came, and how the sending ended. */
async function exchange(content: Readable, read: (answer: IncomingMessage) => Promise<string>) {
  let thrown: unknown = null;
  let ended: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const server = createServer((_, raw) => {
    const response = Object.assign(raw, {}) as Response;
    response.setHeader('Content-Disposition', 'attachment; filename="a.csv"');
    sendStream(response, content)
      .catch((error: unknown) => {
        thrown = error;
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end('a problem');
      })
      .finally(ended);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const [answer] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    const text = await read(answer);
    await end;
    return { status: answer.statusCode, headers: answer.headers, text, thrown };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function* pieces(texts: string[], error: Error | null): AsyncGenerator<Buffer> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  if (error) throw error;
}

const toEnd = async (answer: IncomingMessage) => Buffer.concat(await answer.toArray().catch(() => [])).toString();

describe('A stream that is sent as a body', () => {
  it.each([[['one', 'two']], [[]]])('of the pieces %j arrives as a whole', async (texts) => {
    const { text, thrown, headers } = await exchange(Readable.from(pieces(texts, null)), toEnd);

    expect({ text, thrown }).toEqual({ text: texts.join(''), thrown: null });
    expect(headers['content-disposition']).toContain('a.csv');
  });

  it('leaves the answer to be given when it fails before its first byte', async () => {
    const error = new Error('the disk is gone');

    const { status, headers, text, thrown } = await exchange(Readable.from(pieces([], error)), toEnd);

    expect({ status, text, thrown }).toEqual({ status: 500, text: 'a problem', thrown: error });
    expect(headers).not.toHaveProperty('content-disposition');
  });

  it('says so when it fails later', async () => {
    const error = new Error('the disk is gone');

    const { thrown } = await exchange(Readable.from(pieces(['one'], error)), toEnd);

    expect(thrown).toBe(error);
  });

  it('ends, and is no failure, when its reader leaves', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield await Promise.resolve(Buffer.alloc(65_536));
      } finally {
        closed = true;
      }
    }

    const { thrown } = await exchange(Readable.from(endless()), async (answer) => {
      await once(answer, 'data');
      answer.destroy();
      return '';
    });

    expect({ thrown, closed }).toEqual({ thrown: null, closed: true });
  });
});
