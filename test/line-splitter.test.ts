import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClaude } from '../src/agent/claude/read-line.ts';
import { LineSplitter } from '../src/line-splitter.ts';

const streams = new URL('./fixtures/streams/claude-2.1.330/', import.meta.url);

/** The lines of bytes that arrive in chunks of these lengths, over and over. */
function split(bytes: Uint8Array, lengths: readonly number[], limit?: number) {
  const lines: string[] = [];
  const tooLong: number[] = [];
  const splitter = new LineSplitter(
    (line) => lines.push(line),
    (length) => tooLong.push(length),
    limit,
  );
  for (let at = 0, step = 0; at < bytes.length; step += 1) {
    const length = lengths[step % lengths.length] ?? 1;
    splitter.push(bytes.subarray(at, at + length));
    at += length;
  }
  splitter.end();
  return { lines, tooLong };
}

describe('lines of a stream', () => {
  it('are the same wherever the bytes are split, also inside a character', () => {
    const text = fc.string({ unit: 'binary' }).map((line) => line.replace(/[\r\n]/g, '·'));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        (lines, lengths, end) => {
          const wellFormed = lines.map((line) => Buffer.from(line).toString());
          const whole = wellFormed.filter((line) => line !== '');
          expect(split(Buffer.from(wellFormed.join(end)), lengths).lines).toEqual(whole);
        },
      ),
    );
  });

  it('give the same events from a recording split anywhere', () => {
    const bytes = readFileSync(new URL('agents-default.ndjson', streams));
    const events = split(bytes, [bytes.length]).lines.map(readClaude);
    expect(events.flat().length).toBeGreaterThan(40);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
        (lengths) => {
          expect(split(bytes, lengths).lines.map(readClaude)).toEqual(events);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('have no bound in practice: 100 MB in pieces of 64 KB is one line', () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const lengths: number[] = [];
    const splitter = new LineSplitter((line) => lengths.push(line.length));
    for (let count = 0; count < 1_600; count += 1) splitter.push(piece);
    splitter.push(Buffer.from('\nshort\n'));
    expect(lengths).toEqual([1_600 * 64 * 1024, 5]);
  });

  it('that are too long for a string are told of by their length and left out', () => {
    const bytes = Buffer.from('aaaaaaaaaa\nbb\nccccc\ndddddd');
    expect(split(bytes, [3], 5)).toEqual({ lines: ['bb', 'ccccc'], tooLong: [10, 6] });
  });

  it('keep an end without a newline, and drop empty ones', () => {
    expect(split(Buffer.from('a\n\n\r\nb'), [2]).lines).toEqual(['a', 'b']);
  });
});

it('every recording is read without an exception and with no noise', () => {
  for (const file of readdirSync(streams)) {
    for (const line of readFileSync(new URL(file, streams), 'utf8').split('\n')) {
      expect(readClaude(line).filter(({ type }) => type === 'noise')).toEqual([]);
    }
  }
});
