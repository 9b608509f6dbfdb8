// Every command that takes a plan or a run takes the same words for it.
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import { needFailure } from '../../src/failure.ts';
import { longFlag } from '../../src/start/run-options.ts';
import { writeRun } from '../helpers/write-run.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });
let run: string;
beforeEach(() => {
  for (const name of ['login', 'compound', 'compass']) {
    world.write(`docs/plans/${name}.md`, '# Plan\n');
    ({ run } = writeRun(path.join(world.cwd, '.git'), { plan: `docs/plans/${name}.md`, branch: 'main' }));
  }
});

/** Of all commands, the arguments and options that name a run. */
const slots = commands.flatMap((spec) => [
  ...spec.args.flatMap((arg) => (arg.names === 'run' ? { spec, slot: arg.name } : [])),
  ...spec.options.flatMap((option) => (option.names === 'run' ? { spec, slot: longFlag(option) } : [])),
]);
type Slot = (typeof slots)[number];

/** What else the command cannot do without, with a word in its slot. */
function argvFor({ spec, slot }: Slot, word: string): string[] {
  const args = spec.args.flatMap(({ name, choices }) =>
    name === slot ? word : name.startsWith('<') ? (choices?.[0] ?? '20') : [],
  );
  return [...spec.name.split(' '), ...args, ...(slot.startsWith('--') ? [slot, word] : [])];
}

test.each(slots)('$spec.name looks a run up as all do', async (slot) => {
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
