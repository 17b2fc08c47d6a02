import { byteSize } from './byte-size.js';

it.each([
  [1_000, '1000 bytes'],
  [1_024, '1 KiB'],
  [1_500, '1.5 KiB'],
  [10 * 1024 ** 2, '10 MiB'],
  [2.25 * 1024 ** 3, '2.3 GiB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});
