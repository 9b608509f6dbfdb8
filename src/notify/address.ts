// Splits an address as apprise writes it: SCHEME://USER:PASSWORD@HOST/PART/PART?NAME=VALUE. URL refuses a colon in a
// bot's token, and an address without a host.
import { orElse } from '../or-else.ts';

export type Address = Readonly<{
  scheme: string;
  user: string | undefined;
  password: string | undefined;
  /** With its port; may be empty. */
  host: string;
  parts: readonly string[];
  query: ReadonlyMap<string, string>;
}>;

const form = /^([a-z][a-z0-9]*):\/\/(?:([^?/:]*)(?::([^?/]*))?@)?([^?/]*)([^?]*)\??(.*)$/is;

export function splitAddress(text: string): Address | undefined {
  const [, scheme, user, password, host = '', path = '', asked = ''] = form.exec(text.trim()) ?? [];
  if (scheme === undefined) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    user: user && decode(user),
    password: password && decode(password),
    host: decode(host),
    parts: path
      .split('/')
      .map(decode)
      .filter((part) => part !== ''),
    query: new Map(new URLSearchParams(asked.replaceAll('+', '%2B'))),
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
