// Lints a parsed plan by the rules in lint/, in the order of its lines.
import type { Root } from 'mdast';
import { unified } from 'unified';
import { VFile } from 'vfile';
import { type AgentSettings, agentNamesOf } from '../agent-name.ts';
import { Failure } from '../failure.ts';
import { shellWord } from '../shell-word.ts';
import { commandRules } from './lint/commands.ts';
import { dependsRules } from './lint/depends.ts';
import { type LintOptions, type LintRule, ruleOf, rulesOf } from './lint/rule.ts';
import { taskRules } from './lint/tasks.ts';
import { readMarkdown } from './markdown.ts';
import type { Plan, PlanNote } from './plan.ts';
import { endOfFrontMatter, judgeSettings } from './settings.ts';
import { sourceOf } from './text-position.ts';
import { lintWidth } from './width/lint-width.ts';

export function lintBy(
  settings: Readonly<{ strict: boolean; checks: readonly string[] }> & AgentSettings,
): Required<Pick<LintOptions, 'strict' | 'checks' | 'agents'>> {
  const { strict, checks } = settings;
  return { strict, checks, agents: agentNamesOf(settings) };
}

/** For those who want several tasks at once: never an error. */
const advice: ReadonlySet<string> = new Set(['no-parallel', 'files-overlap']);

export function lintPlan(plan: Plan, options: LintOptions = {}): PlanNote[] {
  const file = new VFile({ value: plan.text, data: { plan, lint: options } });
  const { rules: own = [], strict = false } = options;
  const processor = unified();
  for (const rule of [...rules, ...own]) processor.use(rule);
  // Only others' rules need the tree.
  const root: Root = { type: 'root', children: [] };
  processor.runSync(own.length > 0 ? readMarkdown(plan.text, endOfFrontMatter(plan.text)) : root, file);
  const { placeAt } = sourceOf(plan.text);
  return file.messages
    .map((message): PlanNote => {
      const { place, ruleId = 'rule', source = 'own', reason, fatal } = message;
      const offset = (place && 'start' in place ? place.start : place)?.offset ?? 0;
      const rule = source === 'pawl' ? ruleId : `${source}:${ruleId}`;
      const isError = fatal === true || (strict && !advice.has(rule));
      return { rule, severity: isError ? 'error' : 'warning', message: reason, place: placeAt(offset) };
    })
    .toSorted((one, other) => one.place.offset - other.place.offset);
}

export function findErrors(plan: Plan, options: LintOptions): readonly PlanNote[] {
  return lintPlan(plan, options).filter(({ severity }) => severity === 'error');
}

/** `file`: as a person names it. */
export function refuseErrors(plan: Plan, file: string, options: LintOptions): void {
  const lines = findErrors(plan, options).map((note) => formatNote(file, note));
  if (lines.length === 0) return;
  throw new Failure('plan', `the plan cannot be run:\n${lines.join('\n')}`, {
    hint: `\`pawl lint ${shellWord(file)}\` shows them all.`,
  });
}

/** In a run's header, each with its first note. */
const mostRules = 8;

export function summarizeWarnings(file: string, notes: readonly PlanNote[], jobs = 1): readonly string[] {
  const warnings = notes.filter(({ severity }) => severity === 'warning');
  const byRule = [...Map.groupBy(warnings, ({ rule }) => rule).values()];
  const lines = byRule.slice(0, mostRules).flatMap(([first, ...more]) => {
    const count = more.length > 0 ? ` (and ${more.length} more like this)` : '';
    return first ? [`${formatNote(file, first)}${count}`] : [];
  });
  const isAll = lines.length === warnings.length;
  const command = `pawl lint ${shellWord(file)}${jobs > 1 ? ` --jobs ${jobs}` : ''}`;
  return isAll ? lines : [...lines, `\`${command}\` shows all ${warnings.length} warnings`];
}

export function formatNote(file: string, note: PlanNote): string {
  return `${file}:${note.place.line}:${note.place.column} ${note.severity} ${note.rule} ${note.message}`;
}

const rules: readonly LintRule[] = [
  rulesOf((plan) => plan.notes),
  ruleOf('front-matter', 'error', judgeSettings),
  ...taskRules,
  ...dependsRules,
  ...commandRules,
  rulesOf((plan, { width = { jobs: 1 } }) => lintWidth(plan, width)),
];
