// Keeps known secrets out of everything pawl derives: it knows values, not patterns.
import type { Fact } from '../event.ts';

const namesSecret = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** A function that replaces the values of secret-named environment variables, 8 characters or longer, by their names. */
export function maskSecrets(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && namesSecret.test(name) ? [{ name, value }] : [],
  );
  if (secrets.length === 0) return (text) => text;
  // As JSON text, so that a value with quotes or line ends is found in a journal line too.
  const forms = secrets.flatMap(({ name, value }) => {
    const escaped = JSON.stringify(value).slice(1, -1);
    return escaped === value
      ? [{ name, value }]
      : [
          { name, value: escaped },
          { name, value },
        ];
  });
  // Longest first: one secret may begin with another, whose replacement would leave the rest of it readable.
  forms.sort((a, b) => b.value.length - a.value.length);
  return (text) => forms.reduce((masked, { name, value }) => masked.replaceAll(value, `[${name}]`), text);
}

/** The fact with `mask` laid over what it says in words. Names, ids and digests stay: a resumed run finds things by them. */
export function maskFact<F extends Fact>(fact: F, mask: (text: string) => string): F {
  return maskWords(fact, mask, false) as F;
}

/** Fields of facts that hold words of people, agents and programs. None is an enumeration. */
const wordFields: ReadonlySet<string> = new Set([
  'agentCommand',
  'anchor',
  'answer',
  'billing',
  'checks',
  'command',
  'detail',
  'evidence',
  'hint',
  'manual',
  'question',
  'reason',
  'says',
  'suggestion',
  'summary',
  'text',
  'title',
]);

function maskWords(value: unknown, mask: (text: string) => string, isWords: boolean): unknown {
  if (typeof value === 'string') return isWords ? mask(value) : value;
  if (Array.isArray(value)) return value.map((each) => maskWords(each, mask, isWords));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, maskWords(field, mask, wordFields.has(key))]),
  );
}
