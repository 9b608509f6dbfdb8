// What `--with` names: an agent, a model, and settings that differ, as options of a run.

import { agentNames } from '../../config/agent-name.ts';
import { Failure } from '../../failure.ts';
import { nearest } from '../../nearest.ts';
import type { RunOptions } from '../run-options.ts';

/** One `--with`: its words, a short name for the screen, one for files and branches, and the options for its run. */
export type Contestant = Readonly<{
  with: string;
  label: string;
  slug: string;
  options: Pick<RunOptions, 'agent' | 'model' | 'set'>;
}>;

/** Parses `AGENT[:MODEL[:EFFORT]] [KEY=VALUE …]`, each once. */
export function readContestants(words: readonly string[]): readonly Contestant[] {
  const all = words.map(readContestant);
  const twice = all.find(({ with: name }, at) => all.findIndex((other) => other.with === name) !== at);
  if (twice)
    throw new Failure('usage', `--with '${twice.with}' is given twice`, {
      hint: 'Name each contender once, or tell them apart by a setting: --with "claude:opus task.attempts=1".',
    });
  const isAlone = (label: string) => all.filter((other) => other.label === label).length === 1;
  return all.map((each, at) => ({
    ...each,
    label: isAlone(each.label) ? each.label : `${at + 1} ${each.label}`,
    slug: `${at + 1}-${each.slug}`,
  }));
}

function readContestant(text: string): Contestant {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  const [agent = '', ...model] = first.split(':');
  if (!(agentNames as readonly string[]).includes(agent)) throw unknownAgent(text, agent);
  const odd = rest.find((word) => !/^[a-zA-Z.]+=/.test(word));
  if (odd !== undefined)
    throw new Failure('usage', `--with '${text}': ${odd} is not key=value`, {
      hint: 'Settings come after the agent, each as key=value: --with "codex task.attempts=1".',
    });
  const slug = first
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return {
    with: [first, ...rest].join(' '),
    label: first,
    slug,
    options: {
      agent,
      ...(model.length > 0 && model.join(':') !== '' ? { model: model.join(':') } : {}),
      ...(rest.length > 0 ? { set: rest } : {}),
    },
  };
}

function unknownAgent(text: string, agent: string): Failure {
  const meant = nearest(agent, [...agentNames]);
  return new Failure('usage', `--with '${text}' names no agent`, {
    hint: `${meant ? `Did you mean ${meant}? ` : ''}It is AGENT[:MODEL[:EFFORT]], with one of ${agentNames.join(', ')}.`,
  });
}
