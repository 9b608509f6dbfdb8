// `npm run bench`: the figures pawl is held to, each in a file of its own, printed as tables. It asserts nothing: the
// machine it runs on decides too much. Words on the command line pick figures by name.
import { availableParallelism, loadavg } from 'node:os';
import { buildPawl } from '../helpers/built-pawl.ts';
import { measureLargePlan } from './large-plan.ts';
import { measureSandbox } from './sandbox-time.ts';
import { measureStart } from './start-time.ts';
import { measureLongLine, measureStream } from './stream-time.ts';
import { countEffects } from './task-counts.ts';
import { measureTasks } from './task-time.ts';

const figures = {
  start: measureStart,
  counts: countEffects,
  tasks: measureTasks,
  stream: measureStream,
  line: measureLongLine,
  plan: measureLargePlan,
  sandbox: measureSandbox,
} as const;

const wanted = process.argv.slice(2);
const load = () => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
process.stdout.write(`Node ${process.versions.node}, ${process.platform}, ${load()}; median (min–max)\n\n`);
await using pawl = await buildPawl();
for (const [name, measure] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${await measure(pawl)}\n`);
}
process.stdout.write(`${load()}\n`);
