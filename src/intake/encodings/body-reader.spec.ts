import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { Config } from '../../platform/config/config.js';
import { FileStore } from '../../submissions/files/file-store.js';
import { BodyReader } from './body-reader.js';
import { SubmissionLimits } from './submission-limits.js';

it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'A visitor who left before the body was read is not waited for: %s',
  async (type) => {
    const config = Config.from({ DATA_DIR: tmpdir() });
    const request = new IncomingMessage(new Socket());
    request.headers['content-type'] = type;
    request.destroy();
    await once(request, 'close');

    const bodies = new BodyReader(new SubmissionLimits(config));
    const reading = bodies.read(request, new FileStore(config));
    await expect(reading).rejects.toThrow('The connection broke');
  },
  1_000,
);
