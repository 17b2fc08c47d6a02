import { imageTypeOf } from './files.service.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

it.each<[string, Buffer, string | null]>([
  ['PNG', PNG, 'image/png'],
  ['JPEG', Buffer.from('ffd8ffe000104a464946000101000048', 'hex'), 'image/jpeg'],
  ['GIF 87a', Buffer.from('GIF87a..........'), 'image/gif'],
  ['WebP', Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
  ['a PNG without its header', PNG.subarray(0, 12), null],
  ['a sound', Buffer.from('RIFF....WAVEfmt '), null],
  ['SVG', Buffer.from('<svg xmlns="http'), null],
  ['a page that has a picture later', Buffer.concat([Buffer.from('<b>'), PNG]), null],
  ['PDF', Buffer.from('%PDF-1.7 GIF89a.'), null],
  ['nothing', Buffer.alloc(0), null],
])('A file is shown as a picture by its first bytes: %s', (_, head, type) => {
  expect(imageTypeOf(head)).toBe(type);
});
