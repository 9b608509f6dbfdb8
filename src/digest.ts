// A text's SHA-256.
import { createHash } from 'node:crypto';

/** Of the UTF-8 bytes, in lower-case hex; `length`: of its first characters. */
export function digestText(text: string, length = 64): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
