// Formats a run's request, and what CI says of its commits.
import type { FactOf } from '../../event.ts';
import { shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const forgeFormats = {
  request: ({ state, noun, url, head, target }) => [
    state === 'open'
      ? line('good', `${capital(noun)} into ${target}, at ${shortOid(head)}: ${url}`)
      : line('good', `The ${noun} is no draft any more: ${url}`),
  ],
  ci: (fact) => [line(toneOfCi(fact), formatCi(fact)), ...fact.jobs.slice(0, 6).flatMap(formatJob)],
  comment: ({ state, author, file, line: at = 0, text, answer }) => [
    state === 'ignored'
      ? line('warn', `${author} may not write there, so this is not acted on:`)
      : line('good', `${author} is answered: ${answer}`),
    line('dim', `${file === undefined ? '' : `${file}${at > 0 ? `:${at}` : ''}: `}${text}`, 1),
  ],
} satisfies Formats;

export function formatCi({ state, head, text }: FactOf<'ci'>): string {
  return `CI ${words[state]} ${shortOid(head)}: ${text}`;
}

const words = {
  fixing: 'is red, and a session is to mend it, on',
  green: 'is green on',
  flaky: 'is green, but flaky, on',
  red: 'is red on',
  none: 'did not begin for',
  'gave-up': 'was not awaited to its end for',
} as const;

export function toneOfCi({ state }: FactOf<'ci'>): 'good' | 'warn' | 'bad' {
  if (state === 'green') return 'good';
  return state === 'red' ? 'bad' : 'warn';
}

function formatJob({ name, url }: FactOf<'ci'>['jobs'][number]): readonly Line[] {
  return url === '' ? [] : [line('dim', `${name}: ${url}`, 1)];
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
