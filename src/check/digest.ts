// A short digest by which pure files can tell contents apart. It is not for security.
import { createHash } from 'node:crypto';

/** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
