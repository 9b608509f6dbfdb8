// All rules of lint. A new one is a file here and a line in this table.
import { readSettings } from '../settings.ts';
import { lintWidth } from '../width/lint-width.ts';
import { cyclicDepends } from './cyclic-depends.ts';
import { noProgram } from './no-program.ts';
import { noTasks } from './no-tasks.ts';
import { oddCommand } from './odd-command.ts';
import { type LintRule, rulesOf } from './rule.ts';
import { stepDropped } from './step-dropped.ts';
import { submodule } from './submodule.ts';
import { taskWithoutCheck } from './task-without-check.ts';
import { taskWithoutSteps } from './task-without-steps.ts';
import { unknownAgent } from './unknown-agent.ts';
import { unknownDepends } from './unknown-depends.ts';
import { vacuousCheck } from './vacuous-check.ts';

export const rules: readonly LintRule[] = [
  rulesOf((plan) => plan.notes),
  rulesOf((plan) => readSettings(plan).notes),
  noTasks,
  unknownDepends,
  cyclicDepends,
  taskWithoutSteps,
  taskWithoutCheck,
  unknownAgent,
  stepDropped,
  oddCommand,
  vacuousCheck,
  noProgram,
  submodule,
  rulesOf((plan, { width = { jobs: 1 } }) => lintWidth(plan, width)),
];
