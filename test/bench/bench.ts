// `npm run bench`: the figures pawl is held to, each in a file of its own, printed as tables. It asserts nothing: the
// machine it runs on decides too much. Words on the command line pick figures by name;
// `--smallest` tries each as quickly as it can be.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildPawl } from '../helpers/built-pawl.ts';
import { figures } from './figures.ts';

const names = Object.keys(figures);
const { values, positionals: wanted } = parseArgs({
  args: process.argv.slice(2),
  options: { smallest: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
  strict: false,
});
const unknown = [
  ...wanted.filter((name) => !names.includes(name)),
  ...Object.keys(values).filter((name) => !['smallest', 'help', 'h'].includes(name)),
];
if (values.help || unknown.length > 0) {
  const usage = `npm run bench -- [--smallest] [figure …]\nFigures: ${names.join(', ')}; without one all of them.\n`;
  process.stdout.write(unknown.length > 0 ? `unknown: ${unknown.join(', ')}\n${usage}` : usage);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const size = values.smallest ? 'smallest' : 'whole';
const load = () => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
process.stdout.write(`Node ${process.versions.node}, ${process.platform}, ${load()}; median (min–max)\n\n`);
await using pawl = await buildPawl();
for (const [name, measure] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${await measure(pawl, size)}\n`);
}
process.stdout.write(`${load()}\n`);
