import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { formSnippet } from './form-snippet.js';

it('is the form of the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(readme).toContain(formSnippet('http://localhost:3000/f/e84c332cf237dffa'));
});
