// Keeps known secrets out of everything pawl writes, by value.
import type { Event, Fact, Stamped } from '../event.ts';
import { orElse } from '../or-else.ts';

const namesSecret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PASS|_PAT)$/i;

/** Several values, each a secret: message addresses, telemetry headers. */
const namesSecrets = /^(?:PAWL_NOTIFY(?:_URLS)?|OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS)$/;

const namesAddress = /^PAWL_FLEET_URL$/;

/** `name` replaces `value`. */
export type Secret = Readonly<{ name: string; value: string }>;

/** Replaces the values of secret-named variables, and `more`. */
export function maskSecrets(
  env: Readonly<Record<string, string | undefined>>,
  more: readonly Secret[] = [],
): (text: string) => string {
  const secrets = [...more, ...Object.entries(env).flatMap(secretsOfVariable)];
  const forms = secrets.flatMap(({ name, value }) => formsOf(value).map((form) => ({ name, value: form })));
  // Longest first: one secret may begin with another, whose replacement would leave the rest readable.
  forms.sort((a, b) => b.value.length - a.value.length);
  return (text) => forms.reduce(hide, text);
}

/** Also its lines, which programs print apart and pawl joins, and as JSON text has it, so in a journal line. */
function formsOf(value: string): readonly string[] {
  const parts = [value, ...value.split(/[\r\n]+/)].map((part) => part.trim());
  const forms = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
  return [...new Set(forms)].filter(({ length }) => length >= shortest);
}

/** Also where a text was cut within it. A log may have thousands of `…`: most texts do not contain its beginning. */
function hide(text: string, secret: Secret): string {
  const whole = text.replaceAll(secret.value, `[${secret.name}]`);
  if (!whole.includes(beginOf(secret.value))) return whole;
  const parts = whole.split(beforeCut);
  return parts.map((part, at) => (at < parts.length - 1 ? hideStart(part, secret) : part)).join('');
}

/** A cut says with or without a blank, a line end or a bracket that something is missing. */
const beforeCut = /(?<![\s[])(?=[\s[]*…)/;

function hideStart(text: string, { name, value }: Secret): string {
  const begin = beginOf(value);
  const from = Math.max(0, text.length - value.length + 1);
  for (let at = text.indexOf(begin, from); at >= 0; at = text.indexOf(begin, at + 1))
    if (value.startsWith(text.slice(at))) return `${text.slice(0, at)}[${name}]`;
  return text;
}

/** The least of a secret that is hidden. Many texts hold `https://…`, plans among them. */
function beginOf(value: string): string {
  const [scheme = ''] = /^[a-z]+:\/\//i.exec(value) ?? [];
  return value.slice(0, scheme.length + shortest);
}

/** Shorter values are no secrets, or show nothing of one. */
const shortest = 8;

export function secretsOfVariable([name, value = '']: readonly [string, (string | undefined)?]): Secret[] {
  const values = namesSecrets.test(name)
    ? value.split(',').flatMap((one) => [one, one.slice(one.indexOf('=') + 1)])
    : namesAddress.test(name)
      ? secretsOfAddress(value)
      : namesSecret.test(name)
        ? [value]
        : [];
  return values.map((one) => ({ name, value: one }));
}

/** The whole address, and its password, decoded and as written. */
export function secretsOfAddress(address: string): readonly string[] {
  const written = /^[a-z]+:\/\/[^/?#]*?:([^/?#]*)@/i.exec(address)?.[1] ?? '';
  if (written === '') return /[?&](?:password|sslpassword)=/.test(address) ? [address] : [];
  return [...new Set([address, written, orElse(() => decodeURIComponent(written), written)])];
}

/** Only words: a resumed run finds things by names, ids and digests. */
export function maskFact<F extends Fact>(fact: F, mask: (text: string) => string): F {
  const isWord = (field: string) => wordFields.has(field) || (wordsOnlyIn[field]?.has(fact.type) ?? false);
  return maskTexts(fact, '', (text, field) => (isWord(field) ? mask(text) : text)) as F;
}

/** Of a fact its words, of an agent's activity every text. */
export function maskEvent(event: Stamped<Event>, mask: (text: string) => string): Stamped<Event> {
  return event.type === 'activity' ? (maskTexts(event, '', mask) as Stamped<Event>) : maskFact(event, mask);
}

/** Field names stay. */
function maskTexts(value: unknown, field: string, mask: (text: string, field: string) => string): unknown {
  if (typeof value === 'string') return mask(value, field);
  if (Array.isArray(value)) return value.map((each) => maskTexts(each, field, mask));
  if (typeof value !== 'object' || value === null) return value;
  // Few texts contain a secret: only an object with one is copied.
  let masked = value as Record<string, unknown>;
  for (const name in masked) {
    const inner = masked[name];
    const now = maskTexts(inner, name, mask);
    if (now !== inner) masked = { ...masked, [name]: now };
  }
  return masked;
}

/** Words of people, agents and programs, in any fact. */
const wordFields: ReadonlySet<string> = new Set(
  (
    'anchor because billing broken checks command context detail diff errors evidence flags header hint knownRed ' +
    'label lessons manual notes optional problem problems question quote reason reasons said says suggestion ' +
    'summary text title weakened'
  ).split(' '),
);

/** Words in these facts, but fixed names in others: a masked name could not be read back. */
const wordsOnlyIn: Readonly<Record<string, ReadonlySet<Fact['type']>>> = {
  answer: new Set(['dialogue']),
  red: new Set(['fresh-verified']),
  why: new Set(['dialogue', 'rescue-saved', 'stuck', 'undo']),
};
