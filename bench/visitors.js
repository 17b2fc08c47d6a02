/** Visitors who submit to a form at a steady rate, and what they wait for. */
import { Agent, request } from 'node:http';

const WORDS = 'offer garden price repair visit window school party trip music order house'.split(' ');

/** Returns a text of eight words. */
export function words(seed) {
  return Array.from({ length: 8 }, (_, at) => WORDS[(seed * 7 + at * at + (seed >> at)) % 12]).join(' ');
}

/** Submits at fixed times, whatever the answers do. */
export class Visitors {
  latencies = [];
  stored = 0;
  #agent = new Agent({ keepAlive: true });
  #sent = 0;
  #underWay = new Set();
  #timer;

  /** @param rate submissions a second; 0 for none */
  constructor(url, rate) {
    this.url = url;
    if (rate > 0) this.#timer = setInterval(() => this.#submit(), 1000 / rate);
  }

  get p50() {
    return this.#at(0.5);
  }

  get p99() {
    return this.#at(0.99);
  }

  get slowest() {
    return this.#at(1);
  }

  async stop() {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }

  #at(share) {
    const sorted = [...this.latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  #submit() {
    const body = `name=Visitor&n=${++this.#sent}&message=${encodeURIComponent(words(this.#sent * 31))}`;
    const begin = performance.now();
    const answered = new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
      const sent = request(this.url, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode !== 200) {
            reject(new Error(`A visitor was answered ${answer.statusCode}.`));
            return;
          }
          this.stored++;
          this.latencies.push(performance.now() - begin);
          resolve();
        });
      });
      sent.on('error', reject).end(body);
    }).finally(() => this.#underWay.delete(answered));
    this.#underWay.add(answered);
  }
}
