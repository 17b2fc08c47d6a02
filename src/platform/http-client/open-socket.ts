import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';

/** Opens a connection, and gives up after a time. Its errors from then on are for who has it. */
export function openSocket(options: TcpNetConnectOpts, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const late = () => {
      fail(Object.assign(new Error('The connection took too long.'), { code: 'ETIMEDOUT' }));
    };
    socket.setTimeout(timeoutMs, late);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0, late);
      socket.off('timeout', late);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
