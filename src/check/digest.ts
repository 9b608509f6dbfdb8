// A short digest by which pure files can compare contents. Not for security.
import { createHash } from 'node:crypto';

/** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
