// Splits an address as apprise writes it: SCHEME://USER:PASSWORD@HOST/PART/PART?NAME=VALUE. URL refuses a colon in a
// bot's token, and an address without a host.
import { orElse } from '../or-else.ts';
export type Address = Readonly<{
  scheme: string;
  user?: string;
  password?: string;
  /** With its port; may be empty. */
  host: string;
  parts: readonly string[];
  query: ReadonlyMap<string, string>;
}>;

export function splitAddress(text: string): Address | undefined {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9]*):\/\/(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined) return undefined;
  const [place = '', ...asked] = rest.split('?');
  const [authority = '', ...parts] = place.split('/');
  const at = authority.lastIndexOf('@');
  const login = at < 0 ? undefined : authority.slice(0, at);
  const colon = login?.indexOf(':') ?? -1;
  const query = new Map(
    asked
      .join('?')
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair): [string, string] => {
        const is = pair.indexOf('=');
        return is < 0 ? [decode(pair), ''] : [decode(pair.slice(0, is)), decode(pair.slice(is + 1))];
      }),
  );
  return {
    scheme: scheme.toLowerCase(),
    ...(login === undefined ? {} : { user: decode(colon < 0 ? login : login.slice(0, colon)) }),
    ...(login === undefined || colon < 0 ? {} : { password: decode(login.slice(colon + 1)) }),
    host: decode(authority.slice(at + 1)),
    parts: parts.map(decode).filter((part) => part !== ''),
    query,
  };
}

/** Random, unlike a word of people's. */
export function looksSecret(part: string): boolean {
  return part.length >= 16 || (part.length >= 10 && /\d/.test(part) && /[a-z]/i.test(part));
}

/** A percent sign that encodes nothing stands for itself. */
function decode(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}
