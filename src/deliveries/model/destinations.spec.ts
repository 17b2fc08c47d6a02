import { beforeEach, describe, expect, it } from '@jest/globals';
import { Destinations } from './destinations.js';

const HOST = 'http:slow.example.com';
const START = Date.UTC(2030, 0, 1);
const after = (seconds: number) => new Date(START + seconds * 1_000);

let destinations: Destinations;
beforeEach(() => {
  destinations = new Destinations();
});

function fail(times: number, now: Date): void {
  for (let i = 0; i < times; i++) {
    destinations.begin(HOST);
    destinations.end(HOST, false, now);
  }
}

describe('The room of a destination', () => {
  it('is four calls at once, and ten mails', () => {
    for (let i = 0; i < 4; i++) {
      expect(destinations.busy(after(0))).toEqual([]);
      destinations.begin(HOST);
    }
    expect(destinations.room(HOST, after(0))).toBe(0);
    expect(destinations.busy(after(0))).toEqual([HOST]);
    expect(destinations.room('smtp:', after(0))).toBe(10);
    expect(destinations.room('http:mail', after(0))).toBe(4);

    destinations.end(HOST, true, after(0));
    expect(destinations.room(HOST, after(0))).toBe(1);
  });
});

describe('A destination that does not answer (W-07)', () => {
  it('is still tried after four failures in a row', () => {
    fail(4, after(0));
    expect(destinations.room(HOST, after(0))).toBe(4);
  });

  it('is left alone after five, for ten seconds', () => {
    fail(5, after(0));
    expect(destinations.room(HOST, after(9))).toBe(0);
    expect(destinations.busy(after(9))).toEqual([HOST]);
  });

  it('is not left alone for longer because the clock was set back', () => {
    fail(5, after(3_600));
    expect(destinations.room(HOST, after(0))).toBe(1);
  });

  it('gets one call after the pause, and the others when that was answered', () => {
    fail(5, after(0));
    expect(destinations.room(HOST, after(10))).toBe(1);
    destinations.begin(HOST);
    expect(destinations.room(HOST, after(10))).toBe(0);

    destinations.end(HOST, true, after(11));
    expect(destinations.room(HOST, after(11))).toBe(4);
    expect(destinations.busy(after(11))).toEqual([]);
  });

  it('is left alone for twice as long with each further failure, up to five minutes', () => {
    fail(6, after(0));
    expect(destinations.room(HOST, after(19))).toBe(0);
    expect(destinations.room(HOST, after(20))).toBe(1);

    fail(20, after(20));
    expect(destinations.room(HOST, after(20 + 299))).toBe(0);
    expect(destinations.room(HOST, after(20 + 300))).toBe(1);
  });

  it('is forgotten ten minutes after the last try, unless one is under way', () => {
    fail(5, after(0));
    destinations.busy(after(599));
    expect(destinations.room(HOST, after(599))).toBe(1);
    destinations.begin(HOST);
    destinations.busy(after(600));
    expect(destinations.room(HOST, after(600))).toBe(0);

    destinations.end(HOST, false, after(600));
    destinations.busy(after(1_200));
    expect(destinations.room(HOST, after(1_200))).toBe(4);
  });

  it('starts over once it answered, be it with a refusal', () => {
    fail(4, after(0));
    destinations.begin(HOST);
    destinations.end(HOST, true, after(1));
    fail(4, after(2));
    expect(destinations.room(HOST, after(2))).toBe(4);
  });
});

describe('A destination that was not asked', () => {
  it('stays as it was: left alone, or on trial', () => {
    fail(5, after(0));
    destinations.begin(HOST);
    destinations.end(HOST, null, after(1));
    expect(destinations.room(HOST, after(1))).toBe(0);
    expect(destinations.room(HOST, after(600))).toBe(1);
  });

  it('is not remembered', () => {
    destinations.begin(HOST);
    destinations.end(HOST, null, after(0));
    expect(destinations.busy(after(0))).toEqual([]);
  });
});
