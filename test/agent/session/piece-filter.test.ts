import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PieceFilter } from '../../../src/agent/session/piece-filter.ts';

const beginnings = ['{"type":"stream_event"', '{"a":1'];

/** What is left of chunks, and how many pieces were noticed. */
function filter(chunks: readonly Buffer[], from = beginnings): { text: string; pieces: number } {
  let pieces = 0;
  const filter = new PieceFilter(from, () => {
    pieces += 1;
  });
  const kept = [...chunks.map((chunk) => filter.pass(chunk)), filter.end()];
  return { text: Buffer.concat(kept).toString(), pieces };
}

it.each([
  ['a piece between lines', 'one\n{"type":"stream_event","x":1}\ntwo\n', 'one\ntwo\n', 1],
  ['the other beginning', '{"a":1}\n{"a":2}\n', '{"a":2}\n', 1],
  ['a piece without an end', 'one\n{"type":"stream_event"', 'one\n', 1],
  ['a beginning that is not whole', 'one\n{"type":"stream_eve', 'one\n{"type":"stream_eve', 0],
  ['a line that is a beginning of one', '{"typ\n{"a":1\nx', '{"typ\nx', 1],
  ['the words inside a line', 'x{"type":"stream_event"}\n', 'x{"type":"stream_event"}\n', 0],
  ['empty lines', '\n\n', '\n\n', 0],
])('%s', (_, text, left, pieces) => {
  expect(filter([Buffer.from(text)])).toEqual({ text: left, pieces });
});

it('cuts the same lines wherever the bytes are split', () => {
  const line = fc.oneof(
    fc.constantFrom('', 'x', '{"type":"stream_event","y":"ü"}', '{"a":1', '{"a":', '{"type":"assistant"}'),
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', '')),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(60)), (lines, sizes) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const chunks: Buffer[] = [];
      let from = 0;
      for (const size of sizes) {
        chunks.push(bytes.subarray(from, from + size));
        from += size;
      }
      chunks.push(bytes.subarray(from));
      const isPiece = (text: string) => beginnings.some((one) => text.startsWith(one));
      const whole = [...lines];
      const left = whole.filter((text) => !isPiece(text)).map((text) => `${text}\n`);
      expect(filter(chunks)).toEqual({ text: left.join(''), pieces: whole.filter(isPiece).length });
    }),
  );
});

it('lets everything pass where nothing is a piece', () => {
  expect(filter([Buffer.from('{"a":1}\n')], [])).toEqual({ text: '{"a":1}\n', pieces: 0 });
});
