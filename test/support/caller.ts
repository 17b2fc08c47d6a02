import request from 'supertest';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Calls the service with one token. */
export class Caller {
  constructor(
    private readonly url: string,
    readonly secret: string | null,
  ) {}

  get = (path: string) => this.send('get', path);
  post = (path: string, body?: object) => this.send('post', path, body);
  put = (path: string, body?: object) => this.send('put', path, body);
  patch = (path: string, body?: object) => this.send('patch', path, body);
  delete = (path: string, body?: object) => this.send('delete', path, body);

  send(method: Method, path: string, body?: object): request.Test {
    const call = request(this.url)[method](path);
    if (this.secret !== null) void call.set('Authorization', `Bearer ${this.secret}`);
    return body === undefined ? call : call.send(body);
  }
}
