// Pure. Whether a person's words mean a file.
import path from 'node:path';
import { matchesAny } from '../glob.ts';

export function namesFile(text: string, file: string): boolean {
  const name = path.posix.basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`).test(text);
}

/** A glob of wildcards alone means none. */
export function declaresFile(entry: string, file: string): boolean {
  const glob = path.posix.normalize(entry.trim());
  if (glob === file) return true;
  if (!/[^*/.]/.test(glob)) return false;
  // Without a slash it would match in any folder: here it means the root.
  return file.startsWith(`${glob.replace(/\/$/, '')}/`) || matchesAny(file, [`./${glob}`]);
}
