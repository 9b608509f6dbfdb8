// A digest by which pure files compare contents, not for security.
import { createHash } from 'node:crypto';

/** SHA-256 of the UTF-8 bytes, in lower-case hex. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
