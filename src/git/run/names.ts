// A raw name holds one byte per character, since file names are not always UTF-8; a displayed name is text.

/** `raw` for git and the disk, `file` for people, globs and records. */
export type RawName = Readonly<{ raw: string; file: string }>;

/** Bytes that are not UTF-8 become U+FFFD. */
export function nameOf(raw: string): string {
  return isAscii(raw) ? raw : Buffer.from(raw, 'latin1').toString('utf8');
}

export function rawOf(file: string): string {
  return isAscii(file) ? file : Buffer.from(file, 'utf8').toString('latin1');
}

export function named(raw: string): RawName {
  return { raw, file: nameOf(raw) };
}

export function splitNul(output: Uint8Array): readonly string[] {
  const fields = Buffer.from(output.buffer, output.byteOffset, output.byteLength)
    .toString('latin1')
    .split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}

export function joinNul(raws: readonly string[]): Uint8Array {
  return Buffer.from(raws.map((raw) => `${raw}\0`).join(''), 'latin1');
}

/** The raw name is below `root`. */
export function pathOf(root: string, raw: string): string | Buffer {
  if (isAscii(raw)) return `${root}/${raw}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, 'latin1')]);
}

/** Nearest last: `a/b/c` → `a`, `a/b`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

export function fewOf(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** At most `maxBytes` of UTF-8, never cut inside a character. */
export function cutText(bytes: Uint8Array, maxBytes: number): string {
  let end = Math.min(bytes.length, maxBytes);
  if (end < bytes.length) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return Buffer.from(bytes.subarray(0, end)).toString('utf8');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** For git's line-based input. */
export function quote(file: string): string {
  if (!/[\n\r"\\]/.test(file)) return file;
  const escaped = file.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
