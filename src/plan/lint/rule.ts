// A rule of lint: a unified plugin that reports on a plan's file.
import type { Root } from 'mdast';
import type { Plugin } from 'unified';
import type { NeededProgram } from '../missing.ts';
import type { Plan, PlanNote } from '../plan.ts';
import type { WidthLint } from '../width/lint-width.ts';

export type LintOptions = Readonly<{
  /** Turns warnings into errors; default false. */
  strict?: boolean;
  /** The configuration's commands, for plans that name none; default: none. */
  checks?: readonly string[];
  /** Default: any. */
  agents?: readonly string[];
  /** Ids of checks green before the work; default: none. */
  green?: ReadonlySet<string>;
  /** Default: none. */
  missing?: readonly NeededProgram[];
  /** Where checks look for programs; default `in PATH`. */
  where?: string;
  /** Their changes are in no commit of a run's; default: none. */
  submodules?: readonly string[];
  /** Default: one task at once. */
  width?: WidthLint;
  /** Beside pawl's own. */
  rules?: readonly LintRule[];
}>;

/** Reports by `file.message(reason, { place, ruleId, source })`; with `fatal` it is an error. */
export type LintRule = Plugin<[], Root>;

declare module 'vfile' {
  interface DataMap {
    plan: Plan;
    lint: LintOptions;
  }
}

export type Remark = Readonly<Pick<PlanNote, 'message' | 'place'>>;

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
