// Which headers of a message a proxy forwards.

const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'upgrade'],
];

/** Headers that go on to the other side, as Node has them raw: not those of this one connection, nor `others`. */
export function endToEnd(raw: readonly string[], others: readonly string[]): string[] {
  const named = valuesOf(raw, 'connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
  const dropped = new Set([...hopByHop, ...others, ...named]);
  return raw.flatMap((name, at) =>
    at % 2 === 1 || dropped.has(name.toLowerCase()) ? [] : [name, raw[at + 1] ?? ''],
  );
}

function valuesOf(raw: readonly string[], header: string): readonly string[] {
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === header);
}
