// The text of a first `.pawl/config.yaml`: every setting with its meaning, commented out, and the proposed checks.
import { stringify } from 'yaml';
import { type Key, keys } from './setting-keys.ts';
import { shippedStages } from './stages.ts';

/** A check to put into a first configuration, and why. */
export type StarterCheck = Readonly<{ command: string; reason: string }>;

/** The text; it parses to nothing but the checks. */
export function starterConfig(checks: readonly StarterCheck[]): string {
  const head = [
    '# Settings of pawl for this project. What is commented out is the default.',
    '# Where a value comes from: pawl config show --origin. A schema for editors: pawl config schema.',
    '',
  ];
  const sections = Map.groupBy(keys, (key) => key.name.split('.')[0] ?? key.name);
  // Sections are separated by blank lines; single settings are not.
  const body = [...sections].flatMap(([name, group]) =>
    name === 'checks' ? formatChecks(checks) : formatSection(name, group),
  );
  return `${[...head, ...body]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function formatChecks(checks: readonly StarterCheck[]): string[] {
  const head = ['# Plan checks for plans that name none; a task is done when these exit with 0.'];
  if (checks.length === 0) return [...head, '# checks:', '#   - npm test', ''];
  const lines = checks.flatMap(({ command, reason }) => [
    `  # ${reason.replaceAll('\n', ' ')}`,
    `  - ${stringify(command, { lineWidth: 0 }).trim()}`,
  ]);
  return [...head, 'checks:', ...lines, ''];
}

function formatSection(name: string, group: readonly Key[]): string[] {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const key of group) {
    const parts = key.name.split('.');
    const parents = parts.slice(0, -1);
    parents.forEach((parent, depth) => {
      if (open[depth] !== parent) lines.push(`# ${'  '.repeat(depth)}${parent}:`);
    });
    open = parents;
    const indent = '  '.repeat(parents.length);
    const note = examples[key.name] ? ' (an example: the default is none)' : '';
    lines.push(`# ${indent}${parts.at(-1)}: ${formatExample(key)}  # ${key.meaning}${note}`);
  }
  return name === group[0]?.name ? lines : ['', ...lines, ''];
}

/** Examples that a project will more likely want than the default, which costs nothing unasked. */
const examples: Readonly<Record<string, string>> = { 'review.stages': `[${shippedStages.join(', ')}]` };

function formatExample(key: Key): string {
  const example = examples[key.name];
  if (example !== undefined) return example;
  if (key.default === undefined) return '…';
  return Array.isArray(key.default) ? JSON.stringify(key.default) : stringify(key.default).trim();
}
