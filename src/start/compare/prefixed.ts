// A stream that writes whole lines with a name before each, so that several runs can share one terminal.
import { Writable } from 'node:stream';

/** Passes lines on to `stream`; what has no line end yet is held back until the end. */
export function prefixed(stream: Writable, name: string): Writable {
  let rest = '';
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      stream.write(lines.map((line) => `${name}  ${line}\n`).join(''));
      done();
    },
    final(done) {
      if (rest !== '') stream.write(`${name}  ${rest}\n`);
      done();
    },
  });
}
