// A strict reader of the XML that reports are written in: elements, attributes, text and the five named entities. What is
// not well-formed is an error with its place.

export type Element = Readonly<{
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Element[];
  text: string;
}>;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const declaration = /<\?xml version="1\.0" encoding="UTF-8"\?>\n/y;
const opening = /<([A-Za-z][\w.-]*)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>/y;
const closing = /<\/([A-Za-z][\w.-]*)\s*>/y;
const data = /[^<]+/y;
/** XML 1.0, second edition, `Char`. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The root element. */
export function readXml(xml: string): Element {
  const strange = forbidden.exec(xml);
  if (strange) throw new Error(`a character XML has no form for, at ${strange.index}`);
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (match) at += match[0].length;
    return match ?? undefined;
  };
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${xml.slice(at, at + 60)}`);
  };
  const element = (): Element => {
    const [, name = '', attributes = '', empty] = take(opening) ?? fail('no element');
    const known = { name, attributes: readAttributes(attributes) };
    if (empty === '/') return { ...known, children: [], text: '' };
    const children: Element[] = [];
    let text = '';
    for (;;) {
      const said = take(data);
      if (said) text += decode(said[0]);
      const end = take(closing);
      if (end) return end[1] === name ? { ...known, children, text } : fail(`${end[1]} closes ${name}`);
      children.push(element());
    }
  };
  if (!take(declaration)) fail('no declaration');
  const root = element();
  if (xml.slice(at).trim() !== '') fail('something after the root');
  return root;
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w.-]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decode(value)] as const,
  );
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`twice in ${text}`);
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  return text.replaceAll(/&([^;]*;?)/g, (_, name: string) => {
    const entity = entities[name.replace(/;$/, '')];
    if (entity === undefined || !name.endsWith(';')) throw new Error(`a bare ampersand in ${text}`);
    return entity;
  });
}
