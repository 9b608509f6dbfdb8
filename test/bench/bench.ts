// `npm run bench`: the figures pawl is held to, each in a file of its own, printed as tables. It asserts nothing: the
// machine it runs on decides too much. Words on the command line pick figures by name;
// `--smallest` tries each as quickly as it can be.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildPawl } from '../helpers/built-pawl.ts';
import { figures } from './figures.ts';

const { values, positionals: wanted } = parseArgs({
  options: { smallest: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = values.smallest ? 'smallest' : 'whole';
const load = () => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
process.stdout.write(`Node ${process.versions.node}, ${process.platform}, ${load()}; median (min–max)\n\n`);
await using pawl = await buildPawl();
for (const [name, measure] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${await measure(pawl, size)}\n`);
}
process.stdout.write(`${load()}\n`);
