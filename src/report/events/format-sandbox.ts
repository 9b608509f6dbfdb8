// Formats the facts about a run's sandbox.
import type { FactOf } from '../../event.ts';
import { formatList } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

/** The lines of the fact that it is there. */
export const sandboxFormats = { 'sandbox-opened': formatOpened } satisfies Formats;

function formatOpened(fact: FactOf<'sandbox-opened'>): readonly Line[] {
  const { kind, image, mounts, env, memory, pids } = fact;
  const what = kind === 'docker' ? `docker, image ${image ?? 'unknown'}` : 'bubblewrap';
  const bound =
    memory === undefined || pids === undefined
      ? 'no limit on memory and processes'
      : `at most ${memory} of memory and ${pids} processes`;
  const shut = fact.protected ?? [];
  const tree = shut.length === 0 ? 'the working tree' : `the working tree (read-only: ${formatList(shut)})`;
  const seen = [tree, ...mounts].join(', ');
  const given = env.length === 0 ? '' : `, gets ${formatList(env)}`;
  return [
    line('plain', `Sandbox: ${what}; agents and checks run inside`),
    line('dim', `it sees ${seen}${given}; ${bound}`, 1),
    line('dim', `it reaches ${formatReach(fact)}`, 1),
  ];
}

function formatReach({ egress, hosts }: FactOf<'sandbox-opened'>): string {
  const named = hosts.length === 0 ? 'no API' : formatList(hosts);
  switch (egress) {
    case 'open':
      return `any public address, ${named}`;
    case 'restricted':
      return `${named}, package registries; nothing else`;
    case 'none':
      return `${named}; nothing else`;
  }
}
