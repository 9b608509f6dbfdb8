// Figures, clean text and widths: the small things every line is made of.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as figure from '../../../src/report/text/figure.ts';
import { cleanText, line, wrapLine } from '../../../src/report/text/line.ts';
import { cutToWidth, widthOf, wrapText } from '../../../src/width.ts';

it.each([
  [0, '0.0s'],
  [-5, '0.0s'],
  [440, '0.4s'],
  [960, '1s'],
  [59_400, '59s'],
  [59_600, '1m 00s'],
  [124_000, '2m 04s'],
  [3_599_600, '1h 00m'],
  [93_600_000, '26h 00m'],
])('%i ms is %s', (ms, words) => expect(figure.formatMs(ms)).toBe(words));

it.each([
  [{ atLeast: true }, 'cost unknown'],
  [{ costUsd: 0.42, atLeast: false }, '$0.42'],
  [{ costUsd: 0.42, atLeast: true }, 'at least $0.42'],
  [{ costUsd: 0, atLeast: true }, 'cost unknown'],
  [{ costUsd: 0, atLeast: false }, '$0.00'],
  [{ costUsd: 0.0031, atLeast: false }, '$0.0031'],
])('a cost of %o is %s', (cost, words) => expect(figure.formatCost(cost)).toBe(words));

it.each([
  ['npm test', 'npm test'],
  ['  npm test\n', 'npm test'],
  ['# why\nnpm ci\nnpm test', 'npm ci … (3 lines)'],
  ['# only this', '# only this'],
  ['', ''],
])('the command %o is %s', (command, words) => expect(figure.formatCommand(command)).toBe(words));

it.each([
  ['/r/src/a.ts', 'src/a.ts'],
  ['/r/run.sh --all', 'run.sh --all'],
  ['/r', '.'],
  ['/red/a.ts', '/red/a.ts'],
  ['cat /r/src/a.ts', 'cat src/a.ts'],
  ['cat /other/r/src/a.ts', 'cat /other/r/src/a.ts'],
])('a tool call about %o in /r is %s', (detail, words) => {
  expect(figure.formatToolDetail(detail, '/r')).toBe(words);
  expect(figure.formatToolDetail(detail, undefined)).toBe(detail);
});

it('lists a few and counts the rest', () => {
  expect(figure.formatList(['a', 'b', 'c'], 3)).toBe('a, b, c');
  expect(figure.formatList(['a', 'b', 'c', 'd'], 3)).toBe('a, b, c and 1 more');
});

it('words moments in the reader’s zone, and no moment', () => {
  const inZone = (zone: string, at: number) => {
    process.env['TZ'] = zone;
    const found = [figure.formatMoment(at), figure.formatClock(new Date(at).toISOString())];
    process.env['TZ'] = 'UTC';
    return found;
  };
  expect(inZone('UTC', Date.UTC(2026, 10, 22, 2, 30, 7))).toEqual(['Sun 22 Nov, 02:30', '02:30:07']);
  expect(inZone('Asia/Tokyo', Date.UTC(2026, 10, 21, 15, 5))).toEqual(['Sun 22 Nov, 00:05', '00:05:00']);
  expect(figure.formatMoment(Number.NaN)).toBe('an unknown time');
  expect(figure.formatMoment(1e300)).toBe('an unknown time');
  expect(figure.formatClock('yesterday')).toBe('--:--:--');
});

it('words a span of time, and one within a minute as that minute', () => {
  const at = (hours: number, minutes: number, seconds = 0) => Date.UTC(2026, 10, 22, hours, minutes, seconds);
  expect(figure.formatSpan(at(2, 30), at(2, 30, 59))).toBe('Sun 22 Nov, 02:30');
  expect(figure.formatSpan(at(2, 30, 59), at(2, 31))).toBe('Sun 22 Nov, 02:30 to 02:31');
  expect(figure.formatSpan(at(2, 30), at(26, 30))).toBe('Sun 22 Nov, 02:30 to Mon 23 Nov, 02:30');
});

describe('clean text', () => {
  it.each([
    ['plain', 'plain'],
    ['a\nb\r\nc', 'a b c'],
    ['a\tb', 'a  b'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b]0;title\x07rest', 'rest'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b]0;never ended', '0;never ended'],
    ['\x9b2Jc1', 'c1'],
    ['\x1bcreset', 'reset'],
    ['a\u202eb\u2066c\u200f', 'abc'],
    ['\u2028', ' '],
    ['日本 👩‍👩‍👧 é', '日本 👩‍👩‍👧 é'],
  ])('%j is %j', (dirty, clean) => expect(cleanText(dirty)).toBe(clean));

  it('has no control character left, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\x1b', '[', ']', 'm', '\x07', '\n', '\x9b', 'a', ';', '\u202e') }),
        (text) => {
          expect(cleanText(text)).toMatch(/^[^\x00-\x1f\x7f-\x9f\u202a-\u202e]*$/);
        },
      ),
    );
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👍', 2],
    ['✔\ufe0f', 2],
    ['\u200b', 0],
  ])('%j takes %i', (text, width) => expect(widthOf(text)).toBe(width));

  it('is cut to fit, at whole characters, and only then', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, columns) => {
        const cut = cutToWidth(text, columns);
        expect(widthOf(cut)).toBeLessThanOrEqual(columns);
        if (widthOf(text) <= columns) expect(cut).toBe(text);
        else if (columns > 0) expect(cut.endsWith('…')).toBe(true);
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each<[string, number, readonly string[]]>([
    ['may      read', 20, ['may      read']],
    ['may      read and write', 18, ['may      read and', '         write']],
    ['may      read', 12, ['may', '         read']],
    ['a-word-that-is-longer b', 5, ['a-word-that-is-longer', '         b']],
    ['日本 日本', 8, ['日本', '         日本']],
    ['', 8, ['']],
    ['✓ xo 20s  ✓ ava', 12, ['✓ xo 20s', '         ✓ ava']],
  ])('%j in %i columns is %j', (text, columns, lines) => {
    expect(wrapText(text, columns, { hang: 9 })).toEqual(lines);
  });

  it.each([
    [
      'undo it with `pawl undo 3 --plan p.md`, then go on',
      ['undo it with', '  `pawl undo 3 --plan p.md`,', '  then go on'],
    ],
    ['its work is kept: pawl rescue show 1234567', ['its work is kept:', '  pawl rescue show 1234567']],
    ['not finished: pawl was killed, or the machine', ['not finished: pawl was', '  killed, or the machine']],
  ])('%j never breaks its command', (text, rows) => {
    expect(wrapLine(line('plain', text), 24).map((row) => row.text)).toEqual(rows);
  });

  it('looks at no more of a huge text than could fit', () => {
    expect(cutToWidth('x'.repeat(50_000_000), 10)).toBe('xxxxxxxxx…');
  });
});
