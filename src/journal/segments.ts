// Cuts a journal into pieces of whole lines. Only the last ever changes, so carrying costs only new lines. Pure.

/** Names sort in journal order. */
export type Segment = Readonly<{ name: string; bytes: Buffer }>;

/** At most `most` bytes, or one longer line; a torn line is left out. */
export function segmentsOf(journal: Buffer, most = 1_000_000): readonly Segment[] {
  const segments: Segment[] = [];
  const push = (from: number, to: number) => {
    const name = String(segments.length + 1).padStart(4, '0');
    if (to > from) segments.push({ name, bytes: journal.subarray(from, to) });
  };
  let from = 0;
  let last = 0;
  for (let end = journal.indexOf(0x0a); end >= 0; end = journal.indexOf(0x0a, last)) {
    if (end + 1 - from > most && last > from) {
      push(from, last);
      from = last;
    }
    last = end + 1;
  }
  push(from, last);
  return segments;
}

export function joinSegments(segments: readonly Segment[]): Buffer {
  const sorted = [...segments].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Buffer.concat(sorted.map(({ bytes }) => bytes));
}
