// Every command that takes a plan or a run takes the same words for it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { namePlans, runProgram } from '../../src/cli/program.ts';
import { needFailure } from '../../src/failure.ts';
import { longFlag, optionName } from '../../src/start/run-options.ts';
import { writeRun } from '../helpers/write-run.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
let run: string;
beforeEach(() => {
  world = makeWorld();
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.cwd });
  for (const name of ['login', 'compound', 'compass']) {
    world.write(`docs/plans/${name}.md`, '# Plan\n');
    ({ run } = writeRun(path.join(world.cwd, '.git'), { plan: `docs/plans/${name}.md`, branch: 'main' }));
  }
});
afterEach(() => world[Symbol.dispose]());

/** Of all commands, the arguments and options that name one. */
const slots = commands.flatMap((spec) => [
  ...spec.args.flatMap((arg, at) => (arg.names ? { spec, names: arg.names, slot: arg.name, at } : [])),
  ...spec.options.flatMap((option) =>
    option.names ? { spec, names: option.names, slot: longFlag(option), key: optionName(option) } : [],
  ),
]);
type Slot = (typeof slots)[number];

/** What else the command cannot do without, with a word in its slot. */
function argvFor({ spec, slot }: Slot, word: string): string[] {
  const args = spec.args.flatMap(({ name, choices }) =>
    name === slot ? word : name.startsWith('<') ? (choices?.[0] ?? '20') : [],
  );
  return [...spec.name.split(' '), ...args, ...(slot.startsWith('--') ? [slot, word] : [])];
}

const planSlots = slots
  .filter(({ names }) => names === 'plan')
  .map((slot) => [slot.spec.name, slot] as const);
test.each(planSlots)('%s takes a plan by its name, by its path and by a run of it', async (_name, slot) => {
  const asked = (word: string): Parameters<typeof namePlans>[1] => ({
    spec: slot.spec,
    args: 'at' in slot ? [word] : [],
    options: 'key' in slot ? { [slot.key]: word } : {},
  });
  const plan = 'docs/plans/compass.md';
  for (const word of ['compass', plan, 'ass', run]) {
    const { args, options } = await namePlans(world.context(), asked(word));
    expect({ args, options }).toEqual({ args: asked(plan).args, options: asked(plan).options });
  }
  expect(await namePlans(world.context(), asked('nowhere'))).toEqual(asked('nowhere'));
  await expect(namePlans(world.context(), asked('comp'))).rejects.toMatchObject({
    code: 'usage',
    message: 'comp may be 2 plans',
    hint: 'docs/plans/compass.md\ndocs/plans/compound.md',
  });
});

// A carried run is looked up on a remote.
const runSlots = slots
  .filter(({ names, spec }) => names === 'run' && spec.name !== 'fleet take')
  .map((slot) => [slot.spec.name, slot] as const);
test.each(runSlots)('%s looks a run up as all do', async (_name, slot) => {
  const said = async (word: string): Promise<string> => {
    const argv = argvFor(slot, word);
    const ran = world.run((context) => runProgram({ ...context, argv }), {}).catch(needFailure);
    const result = await ran;
    const text = 'message' in result ? `${result.message}\n${result.hint}` : result.stdout;
    return text.replace(/^Note \d/, 'Note');
  };
  expect(await said('comp')).toMatch(
    /^comp may be 2 plans\ndocs\/plans\/compass.md\ndocs\/plans\/compound.md/,
  );
  const unknown = await said('logni');
  expect(unknown).toMatch(/^there is no run in this repository that “logni” names/i);
  if (slot.spec.name !== 'status') expect(unknown).toContain('Did you mean docs/plans/login.md?');
  const [byPlan, byId] = [await said('compass'), await said(run)];
  expect(byPlan).not.toMatch(/no run|may be/);
  expect(byPlan).toBe(byId);
});
