// A rule of lint, and what rules are told.
import type { MissingProgram } from '../missing.ts';
import type { Plan, PlanNote } from '../plan.ts';
import type { WidthLint } from '../width/lint-width.ts';

export type LintOptions = Readonly<{
  /** Turns warnings into errors; default false. */
  strict?: boolean;
  /** Whether the configuration has checks for plans that name none; default false. */
  hasConfigChecks?: boolean;
  /** Commands of the configuration; default: none. */
  checks?: readonly string[];
  /** Default: any. */
  agents?: readonly string[];
  /** Ids of checks green before the work; default: none. */
  green?: ReadonlySet<string>;
  /** Default: none. */
  missing?: readonly MissingProgram[];
  /** Where checks look for programs; default `in PATH`. */
  where?: string;
  /** Their changes are in no commit of a run's; default: none. */
  submodules?: readonly string[];
  /** Default: one task at once. */
  width?: WidthLint;
}>;

export type LintRule = (plan: Plan, options: LintOptions) => readonly PlanNote[];

export type Remark = Readonly<Pick<PlanNote, 'message' | 'place'>>;

export function ruleOf(
  rule: string,
  severity: PlanNote['severity'],
  find: (plan: Plan, options: LintOptions) => readonly Remark[],
): LintRule {
  return (plan, options) => find(plan, options).map((remark) => ({ ...remark, rule, severity }));
}
