import { Receivers } from './receivers.js';

const HOST = 'http:1:slow.example.com';
const START = Date.UTC(2030, 0, 1);
const after = (seconds: number) => new Date(START + seconds * 1_000);

let receivers: Receivers;
beforeEach(() => {
  receivers = new Receivers();
});

function fail(times: number, now: Date): void {
  for (let i = 0; i < times; i++) {
    receivers.begin(HOST);
    receivers.end(HOST, false, now);
  }
}

it('The room of a receiver is four calls at once, and ten mails', () => {
  for (let i = 0; i < 4; i++) {
    expect(receivers.busy(after(0)).receivers).toEqual([]);
    receivers.begin(HOST);
  }
  expect(receivers.room(HOST, after(0))).toBe(0);
  expect(receivers.busy(after(0)).receivers).toEqual([HOST]);
  expect(receivers.room('smtp:', after(0))).toBe(10);
  expect(receivers.room('http:1:mail', after(0))).toBe(4);

  receivers.end(HOST, true, after(0));
  expect(receivers.room(HOST, after(0))).toBe(1);
});

describe('A receiver that does not answer (W-07)', () => {
  it('is left alone for twice as long with each further failure, up to five minutes', () => {
    fail(6, after(0));
    expect(receivers.room(HOST, after(19))).toBe(0);
    expect(receivers.room(HOST, after(20))).toBe(1);

    fail(20, after(20));
    expect(receivers.room(HOST, after(20 + 299))).toBe(0);
    expect(receivers.room(HOST, after(20 + 300))).toBe(1);
  });

  it('is forgotten ten minutes after the last try, unless one is under way', () => {
    fail(5, after(0));
    receivers.busy(after(599));
    expect(receivers.room(HOST, after(599))).toBe(1);
    receivers.begin(HOST);
    receivers.busy(after(600));
    expect(receivers.room(HOST, after(600))).toBe(0);

    receivers.end(HOST, false, after(600));
    receivers.busy(after(1_200));
    expect(receivers.room(HOST, after(1_200))).toBe(4);
  });

  it('starts over once it answered, be it with a refusal', () => {
    fail(4, after(0));
    receivers.begin(HOST);
    receivers.end(HOST, true, after(1));
    fail(4, after(2));
    expect(receivers.room(HOST, after(2))).toBe(4);
  });
});

describe('A receiver that was not asked', () => {
  it('stays as it was: left alone, or on trial', () => {
    fail(5, after(0));
    receivers.begin(HOST);
    receivers.end(HOST, null, after(1));
    expect(receivers.room(HOST, after(1))).toBe(0);
    expect(receivers.room(HOST, after(600))).toBe(1);
  });

  it('is not remembered', () => {
    receivers.begin(HOST);
    receivers.end(HOST, null, after(0));
    expect(receivers.busy(after(0)).receivers).toEqual([]);
  });
});

describe('A host that several accounts call', () => {
  it('takes a quarter of the places from all of them together', () => {
    for (const account of [1, 2, 3]) {
      for (let i = 0; i < 4; i++) receivers.begin(`http:${account}:slow.example.com`);
    }
    expect(receivers.room('http:4:slow.example.com', after(0))).toBe(0);
    expect(receivers.busy(after(0)).hosts).toEqual(['slow.example.com']);

    receivers.end('http:2:slow.example.com', true, after(0));
    expect(receivers.room('http:4:slow.example.com', after(0))).toBe(1);
    expect(receivers.busy(after(0)).hosts).toEqual([]);
  });
});

describe('A destination that asks us to wait', () => {
  const ID = Buffer.alloc(16, 7);

  it('gets nothing for as long as it asked, up to a quarter of an hour', () => {
    receivers.wait(ID, 30_000, after(0));
    expect(receivers.busy(after(29)).waiting).toEqual([ID]);
    expect(receivers.busy(after(30)).waiting).toEqual([]);

    receivers.wait(ID, 3_600_000, after(100));
    expect(receivers.busy(after(100 + 899)).waiting).toEqual([ID]);
    expect(receivers.busy(after(100 + 900)).waiting).toEqual([]);
  });

  it('is not left alone for longer because the clock was set back, nor is one that fails', () => {
    receivers.wait(ID, 30_000, after(7_200));
    fail(5, after(3_600));
    expect(receivers.busy(after(0)).waiting).toEqual([]);
    expect(receivers.room(HOST, after(0))).toBe(1);
  });
});
