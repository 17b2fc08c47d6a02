/**
 * The load generator, in a process of its own since it shares the processors with what it measures.
 * It keeps connections open, has one request under way on each, and reads of an answer only its
 * status, its length and the id in it. Each message starts one run; the answer tells what came out.
 * Without a rate a connection sends again once it is answered (a closed loop). With one, requests come
 * at random times whatever the answers do, as visitors do (a Poisson process); a request that finds no
 * free connection waits, and its latency counts from the time it was to be sent.
 */
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const ID = '"id":"';
const ID_LENGTH = 36;
/** Requests that are unanswered for this long after the run are given up. */
const LAST_ANSWER_MS = 10_000;

process.on('message', (run) => {
  measure(run).then((outcome) => process.send(outcome));
});

/**
 * @param run `port`, `requests` as bytes, `connections`, `warmUpMs`, `measureMs`, `minimum`: the least
 * bytes of a body that counts as an answer, and `rate`: requests a second, undefined for a closed loop
 */
async function measure({ port, requests, connections, warmUpMs, measureMs, minimum, rate }) {
  const begin = performance.now() + warmUpMs;
  const end = begin + measureMs;
  const tally = { latencies: [], refused: [], acknowledged: [], failures: {}, unanswered: 0, next: 0 };
  const schedule = rate === undefined ? closedLoop(end) : arrivals(rate, end);
  const late = monitorEventLoopDelay({ resolution: 1 });
  late.enable();
  const cpuAtBegin = process.cpuUsage();
  await Promise.all(
    Array.from({ length: connections }, () => converse(port, requests, minimum, begin, end, tally, schedule)),
  );
  const { user, system } = process.cpuUsage(cpuAtBegin);
  const { acknowledged, failures, unanswered } = tally;
  const latencies = Float64Array.from(tally.latencies).sort();
  const at = (share) => latencies[Math.min(latencies.length - 1, latencies.length * share) | 0];
  return {
    answered: latencies.length,
    perSecond: latencies.length / (measureMs / 1000),
    p50: at(0.5) ?? NaN,
    p99: at(0.99) ?? NaN,
    p999: at(0.999) ?? NaN,
    slowest: at(1) ?? NaN,
    // What refusals took, as p99.
    refusedMs: Float64Array.from(tally.refused).sort()[(tally.refused.length * 0.99) | 0] ?? 0,
    acknowledged,
    failures,
    unanswered,
    // How late the generator itself was at most, in milliseconds: its own part of what it measures.
    lateMs: late.max / 1e6,
    cpu: (user + system) / 1e6 / ((warmUpMs + measureMs) / 1000),
  };
}

/** Sends at once again: calls back with the time of sending, or with null when the time is over. */
function closedLoop(end) {
  return (free) => {
    const now = performance.now();
    free(now < end ? now : null);
  };
}

/**
 * Sends at a mean rate, each at a time of its own: calls back when the next request is due, with the time it was due
 * at; with null when the time is over. Free connections wait; due requests that find none are sent late.
 */
function arrivals(rate, end) {
  const free = [];
  let due = performance.now() + 50; // connections are open by then
  /** Returns when the request that is due now was to be sent, and makes the next one due. */
  const take = () => {
    const at = due;
    due -= (Math.log(1 - Math.random()) * 1000) / rate;
    return at;
  };
  const serve = () => {
    const now = performance.now();
    while (free.length > 0 && due <= now && due < end) free.shift()(take());
    if (due < end) setTimeout(serve, Math.max(0, Math.min(1, due - performance.now())));
    else for (const callback of free.splice(0)) callback(null);
  };
  serve();
  return (callback) => {
    if (due >= end) callback(null);
    else if (free.length === 0 && due <= performance.now()) callback(take());
    else free.push(callback);
  };
}

/** One connection: sends a request whenever the schedule says so, until the time is over. */
function converse(port, requests, minimum, begin, end, tally, schedule) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let sent = -1;
    let head = '';
    let expected = 0;
    let received = 0;
    const deadline = setTimeout(() => socket.destroy(new Error('no answer')), end - performance.now() + LAST_ANSWER_MS);

    const send = () => {
      sent = -1;
      schedule((at) => {
        if (at === null || socket.destroyed) {
          socket.end();
          return;
        }
        sent = tally.next++ % requests.length;
        [head, expected, received] = ['', 0, 0];
        sentAt = at;
        socket.write(requests[sent]);
      });
    };
    const answered = () => {
      const now = performance.now();
      const status = head.slice(9, 12);
      const at = head.lastIndexOf(ID);
      if (status !== '200' || expected < minimum) {
        count(tally.failures, status);
        tally.refused.push(now - sentAt);
      } else {
        if (at > 0) tally.acknowledged.push([head.slice(at + ID.length, at + ID.length + ID_LENGTH), sent]);
        if (sentAt >= begin && now < end) tally.latencies.push(now - sentAt);
      }
      send();
    };

    socket.on('connect', send);
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (expected === 0) {
        // Long answers are recognised by their first piece; the others are only counted.
        head += chunk.latin1Slice();
        const bodyAt = head.indexOf(HEAD_END);
        if (bodyAt < 0) return;
        expected = bodyAt + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? NaN);
        if (Number.isNaN(expected)) socket.destroy(new Error('an answer without a length'));
      } else if (head.length < expected && expected < 4096) head += chunk.latin1Slice();
      if (received >= expected) answered();
    });
    socket.on('error', ({ message }) => count(tally.failures, message));
    socket.on('close', () => {
      clearTimeout(deadline);
      if (sent >= 0) tally.unanswered++;
      resolve();
    });
  });
}

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
