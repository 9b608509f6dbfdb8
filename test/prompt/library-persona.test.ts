// Reviewers' personas: settings, text, and what is wrong with them; and every shipped one.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPersona, readReviewer } from '../../src/prompt/library.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const read = (text: string) => readPersona({ name: 'x', file: '/t/reviewers/x.md', text });

describe('a persona', () => {
  test.each([
    ['text alone', 'Look.\n', { text: 'Look.' }],
    [
      'settings',
      '---\nmodel: opus:high\ntools: [Read]\n---\nLook.',
      { text: 'Look.', model: 'opus:high', tools: ['Read'] },
    ],
    ['CRLF', '---\r\nagent: codex\r\n---\r\nLook.\r\n', { text: 'Look.', agent: 'codex' }],
    ['empty settings', '---\n---\nLook.', { text: 'Look.' }],
    [
      'a rule in the text',
      'Look.\n\n---\nmodel: x\n---\nMore.',
      { text: 'Look.\n\n---\nmodel: x\n---\nMore.' },
    ],
  ])('%s', (_, text, wanted) => {
    expect(read(text)).toEqual({ name: 'x', ...wanted });
  });

  test.each([
    ['nothing to look at', '---\nmodel: x\n---\n', /x\.md: the reviewer has no instructions/],
    ['an unknown setting', '---\ncolour: red\n---\nLook.', /x\.md: .*colour/],
    ['a removed setting', '---\nminSeverity: major\n---\nLook.', /x\.md: minSeverity: was removed/],
    ['no YAML', '---\nmodel: [\n---\nLook.', /x\.md: the settings before the text are not valid YAML/],
  ])('not: %s', (_, text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});

test.each(readdirSync(path.join(shipped, 'reviewers')))('shipped: %s', (file) => {
  expect(readReviewer([shipped], path.parse(file).name).text).toMatch(/Evidence for a finding/);
});

test('the first folder wins, and an unknown name tells those there are', () => {
  using folder = makeTempFolder();
  const reviewers = path.join(folder.path, 'reviewers');
  mkdirSync(reviewers);
  writeFileSync(path.join(reviewers, 'quality.md'), 'Mine.');
  writeFileSync(path.join(reviewers, 'own.md'), 'Own.');
  const library = [folder.path, shipped];
  expect(readReviewer(library, 'quality').text).toBe('Mine.');
  expect(() => readReviewer(library, 'qualty')).toThrow('there is no reviewer qualty');
  try {
    readReviewer(library, 'qualty');
  } catch (error) {
    expect((error as { hint: string }).hint).toContain(
      'documentation, external, implementation, own, performance, quality',
    );
  }
});
