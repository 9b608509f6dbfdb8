// How a line looks on a stream: its indent, its tone as a colour. It knows no event and writes nothing.
import { styleText } from 'node:util';
import { type Line, renderLine, type Tone } from './line.ts';

/** A line as bytes for the stream: indented, painted, ended. */
export function paintLine(line: Line, colour: boolean, prefix = ''): string {
  const text = prefix + renderLine(line);
  const format = styles[line.tone];
  return `${colour && format ? styleText(format, text, { validateStream: false }) : text}\n`;
}

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0] | undefined>> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  head: 'bold',
};
