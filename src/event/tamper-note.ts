// Pure. A note of what a work takes from tests, checkers and definitions, in words.
import type { FactOf } from '../event.ts';

/** As in “2 assertions fewer in test/a.js: assert.equal(a, b);”. */
export function sayTamper({
  file,
  line,
  detail,
  quote,
}: Omit<FactOf<'tamper-noted'>, 'type' | 'task'>): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${detail} in ${place}${quote === undefined ? '' : `: ${quote}`}`;
}
