// The flags that hide files' changes from git, read from the bytes of an index file (versions 2 to 4, as in git's
// index-format.txt). It reads no file.

/** Tags by raw name, as `git ls-files -v` has them: `h` assume-unchanged, `S` skip-worktree, `s` both. Undefined for an index that needs git to be read: split, sparse, unknown. `oidBytes`: 20, or 32 of SHA-256. */
export function parseIndexFlags(bytes: Buffer, oidBytes: number): ReadonlyMap<string, string> | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const flags = new Map<string, string>();
  let at = 12;
  let name = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    const more = start + 40 + oidBytes + 2;
    if (more + 2 > bytes.length) return undefined;
    const flag = bytes.readUInt16BE(more - 2);
    const isExtended = (flag & 0x4000) !== 0;
    const skips = isExtended && (bytes.readUInt16BE(more) & 0x4000) !== 0;
    at = more + (isExtended ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const cut = readOffset(bytes, at);
      kept = name.length - cut.value;
      at = cut.end;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) return undefined;
    const isTold = skips || (flag & 0x8000) !== 0;
    if (version === 4 || isTold) name = name.slice(0, kept) + bytes.toString('latin1', at, end);
    if (isTold) flags.set(name, tagOf(flag, skips));
    // Before version 4 an entry is filled with 1 to 8 zeros to a multiple of 8.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return isPlain(bytes, at, oidBytes) ? flags : undefined;
}

function tagOf(flag: number, skips: boolean): string {
  const tag = skips ? 'S' : (flag & 0x3000) !== 0 ? 'M' : 'H';
  return (flag & 0x8000) === 0 ? tag : tag.toLowerCase();
}

/** A number of 7-bit groups, each but the last with its high bit set and one added: an offset of git's packs. */
function readOffset(bytes: Buffer, from: number): { value: number; end: number } {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at + 1 };
}

/** No extension that must be understood: those that may be passed over begin with a capital letter. */
function isPlain(bytes: Buffer, from: number, oidBytes: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - oidBytes) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 1))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - oidBytes;
}
