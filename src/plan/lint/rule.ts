// What a rule of lint is: a unified plugin that reports on a plan's file. A rule of one's own may also walk the tree.
import type { Root } from 'mdast';
import type { Plugin } from 'unified';
import type { MissingProgram } from '../missing.ts';
import type { Plan, PlanNote } from '../plan.ts';
import type { WidthLint } from '../width/lint-width.ts';

/** What lint cannot know from the plan's text. */
export type LintOptions = Readonly<{
  /** Turns warnings into errors; default false. */
  strict?: boolean;
  /** True if the configuration has checks for plans that name none; default false. */
  hasConfigChecks?: boolean;
  /** The commands of the configuration's checks; default: none. */
  checks?: readonly string[];
  /** Agents that a task may name; default: any. */
  agents?: readonly string[];
  /** Ids of checks that were run and are green before the work; default: none. */
  green?: ReadonlySet<string>;
  /** Checks whose program is missing; default: none. */
  missing?: readonly MissingProgram[];
  /** Where checks look for their programs; default `in PATH`. */
  where?: string;
  /** Folders of submodules, whose changes no commit of a run's contains; default: none. */
  submodules?: readonly string[];
  /** How many tasks are wanted at once, and what affects that; default: one. */
  width?: WidthLint;
  /** Rules beside pawl's own. */
  rules?: readonly LintRule[];
}>;

/** Reports by `file.message(reason, { place, ruleId, source })`; a message with `fatal` is an error. */
export type LintRule = Plugin<[], Root>;

declare module 'vfile' {
  interface DataMap {
    plan: Plan;
    lint: LintOptions;
  }
}

type Remark = Readonly<Pick<PlanNote, 'message' | 'place'>>;

export function ruleOf(
  rule: string,
  severity: PlanNote['severity'],
  find: (plan: Plan, options: LintOptions) => readonly Remark[],
): LintRule {
  return rulesOf((plan, options) => find(plan, options).map((remark) => ({ ...remark, rule, severity })));
}

export function rulesOf(find: (plan: Plan, options: LintOptions) => readonly PlanNote[]): LintRule {
  return () => (_, file) => {
    const { plan, lint = {} } = file.data;
    for (const { rule, severity, message, place } of plan ? find(plan, lint) : [])
      file.message(message, { place, ruleId: rule, source: 'pawl' }).fatal = severity === 'error';
  };
}
