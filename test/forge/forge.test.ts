// Logs of forges as text.
import { expect, test } from 'vitest';
import { cleanLog } from '../../src/forge/forge.ts';

test.each([
  [
    'GitHub’s time stamps and groups',
    '2026-11-26T20:00:00.1234567Z ##[group]Run npm test\n2026-11-26T20:00:01.1Z ok',
    'Run npm test\nok',
  ],
  [
    'GitLab’s sections',
    'section_start:1764:step\r\u001b[0K$ npm test\nsection_end:1764:step\r\u001b[0Kdone',
    '$ npm test\ndone',
  ],
  ['GitLab’s time stamps', '2026-11-26T20:00:00.123456Z 01O $ npm test', '$ npm test'],
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['what a bar writes over itself', '10 %\r50 %\r100 %', '100 %'],
  ['other control characters, and those that reorder', 'a\u0007b\u202ec\u0000', 'abc'],
  ['tabs stay', 'a\tb', 'a\tb'],
])('%s', (_, log, text) => {
  expect(cleanLog(log)).toBe(text);
});
