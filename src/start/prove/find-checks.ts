// Which checks prove a branch: named, a plan's, the base's, or what the project proposes.
import { projectConfigFile } from '../../config/load.ts';
import { configSchema } from '../../config/schema.ts';
import { readYamlLayer } from '../../config/yaml-layer.ts';
import { Failure } from '../../failure.ts';
import type { Repo } from '../../git/run/repo.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Check } from '../../plan/plan.ts';
import { configuredChecks, newChecks, placeSharedChecks } from '../../work/work.ts';

/** In this order. */
export type CheckSources = Readonly<{
  named: readonly string[];
  plan?: string | undefined;
  propose: () => readonly string[];
}>;

export async function findChecks(
  repo: Repo,
  base: string,
  { named, plan, propose }: CheckSources,
): Promise<Readonly<{ checks: readonly Check[]; from: string }>> {
  if (named.length > 0) return { checks: configuredChecks(named), from: '--check' };
  if (plan !== undefined) return { checks: ofPlan(plan), from: 'the plan' };
  const configured = await readBaseChecks(repo, base);
  if (configured.length > 0)
    return { checks: configuredChecks(configured), from: 'the settings of the base' };
  const proposed = propose();
  if (proposed.length > 0)
    return { checks: configuredChecks(proposed), from: 'what the project’s files propose' };
  throw new Failure('usage', 'there is no check to prove the work by', {
    hint: 'Name one: pawl prove --check "npm test"',
  });
}

function ofPlan(text: string): readonly Check[] {
  const plan = parsePlan(text, '');
  const all = [...placeSharedChecks(plan, []), ...plan.tasks.flatMap((task) => task.checks)];
  return newChecks(all.filter(({ knownRed }) => !knownRed));
}

/** Who wrote the work does not say what proves it. */
async function readBaseChecks(repo: Repo, base: string): Promise<readonly string[]> {
  const file = projectConfigFile('').replace(/^\//, '');
  const text = await repo.git(['show', `${base}:${file}`], { okCodes: [0, 128] });
  const found = readYamlLayer(text, 'project', file).settings.find(({ key }) => key === 'checks');
  return configSchema.in.shape.checks.safeParse(found?.value).data ?? [];
}
