// The short name of a check, for a line with several of them.
import { formatCommand } from './figure.ts';
import { cutToWidth } from './width.ts';

/** `npx vitest run test/limits/bucket.test.ts` is `vitest bucket.test.ts`; at most 30 columns. */
export function nameCheck(command: string): string {
  const text = formatCommand(command);
  const words = text.replace(prefix, '').split(/\s+/);
  if (/[|;&<>$`'"()]/.test(text)) return cutToWidth(text, mostColumns);
  const [program = '', ...rest] = words;
  const names = [program.replace(/^.*\//, '')];
  const script = /^(?:npm|pnpm|yarn|bun|make|just|task|cargo|go)$/.test(program) ? rest.shift() : undefined;
  if (script !== undefined) names.push(script === 'run' ? (rest.shift() ?? script) : script);
  const about = rest.findLast((word) => /[./]/.test(word) && /[^./]/.test(word) && !word.startsWith('-'));
  if (about !== undefined) names.push(about.replace(/\/+$/, '').replace(/^.*\//, ''));
  return cutToWidth(names.join(' '), mostColumns);
}

const mostColumns = 30;

/** Variables, and programs that only run another one. */
const prefix =
  /^(?:\w+=\S*\s+)*(?:(?:npx|pnpm exec|pnpm dlx|yarn exec|bunx|uv run|poetry run|pipenv run|bundle exec|(?:\S*\/)?python[\d.]* -m)\s+(?:--?\S+\s+)*)?/;
