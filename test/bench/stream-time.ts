// How fast pawl reads what an agent prints, and what memory it takes: many events, and one very long line. The raw
// record, the session and the terminal reporter to a pipe are all at work.
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { toolResultLine } from '../fixtures/agents/scripted/stream.ts';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { factsOf } from '../helpers/pawl.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { makeLeanAgent } from './lean-agent.ts';
import { formatNumber, formatSpread, formatTable, repeat, type Size, spreadOf } from './measure.ts';
import { planOf } from './task-time.ts';
import { makePlace, runTimed, type TimedRun } from './timed-run.ts';

const sizes = {
  whole: { events: 200_000, lineBytes: 100e6, runs: 3 },
  smallest: { events: 200, lineBytes: 1e6, runs: 1 },
};
/** On average, with its line end. */
const eventBytes = 275;

/** Reads 55 MB of 200,000 lines. */
export async function measureStream(pawl: BuiltPawl, size: Size): Promise<string> {
  const { events, runs } = sizes[size];
  const measured = await measure(pawl, leanLines(events), runs);
  return tableOf(`A stream of ${events.toLocaleString('en')} tool-call lines`, measured);
}

/** Reads one line of 100 MB. */
export async function measureLongLine(pawl: BuiltPawl, size: Size): Promise<string> {
  const { lineBytes, runs } = sizes[size];
  const long = () => JSON.stringify(toolResultLine('toolu_long', { content: 'x'.repeat(lineBytes) }));
  return tableOf('One line of 100 MB', await measure(pawl, { count: 1, lineOf: long }, runs));
}

type Lines = Readonly<{ count: number; lineOf: (at: number) => string }>;

/** A call and its result by turns, each padded to the same size; each call is another, since the same one again and again ends a session. */
function leanLines(count: number): Lines {
  const message = (at: number) => {
    const id = `toolu_${Math.floor(at / 2)}`;
    return at % 2 === 0
      ? {
          type: 'assistant',
          message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `${at} ` } }] },
        }
      : { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: '' }] } };
  };
  const lineOf = (at: number) => {
    const line = JSON.stringify(message(at));
    const pad = 'x'.repeat(Math.max(0, eventBytes - 1 - line.length));
    return line.replace(/(?<="command":"|"content":")/, pad);
  };
  return { count, lineOf };
}

type Measured = Readonly<{ bytes: number; ms: readonly number[]; runs: readonly TimedRun[] }>;

async function measure(pawl: BuiltPawl, lines: Lines, runs: number): Promise<Measured> {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'stream.ndjson');
  const bytes = await writeLines(file, lines);
  const timed = await repeat(runs, async () => {
    using agent = makeLeanAgent(file);
    await using place = await makePlace({ plan: planOf(1), agent: agent.command, files: 10 });
    const run = await runTimed(pawl.command, place);
    const [life] = agent.lives();
    const turn = factsOf(run, 'turn-ended')[0];
    return { run, ms: Date.parse(turn?.at ?? '') - (life?.beganMs ?? Number.NaN) };
  });
  return { bytes, ms: timed.map(({ ms }) => ms), runs: timed.map(({ run }) => run) };
}

async function writeLines(file: string, { count, lineOf }: Lines): Promise<number> {
  const stream = createWriteStream(file);
  for (let at = 0; at < count; at += 1) {
    if (!stream.write(`${lineOf(at)}\n`))
      await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await finished(stream.end());
  return stream.bytesWritten;
}

function tableOf(headline: string, measured: Measured): string {
  const megabytes = measured.bytes / 1e6;
  const speeds = measured.ms.map((ms) => (1000 * megabytes) / ms);
  const peaks = measured.runs.map((run) => run.peakMb);
  const memory = measured.runs.at(-1)?.memoryMb ?? [];
  const tenths = Array.from(
    { length: 10 },
    (_, at) => memory[Math.floor((at * memory.length) / 10)] ?? Number.NaN,
  );
  return formatTable(`${headline}: ${formatNumber(megabytes)} MB, ${measured.runs.length} times`, [
    ['speed, MB/s', formatSpread(spreadOf(speeds)), 'aim ≥ 50'],
    ['time, ms', formatSpread(spreadOf(measured.ms)), 'from the agent’s first instruction to the turn’s end'],
    ['peak, MB', formatSpread(spreadOf(peaks)), 'resident, pawl alone; aim ≤ 150 for streams'],
    ['over time, MB', tenths.map((mb) => mb.toFixed(0)).join(' '), 'each tenth of the last run'],
    [
      'processor, ms',
      formatSpread(spreadOf(measured.runs.map((run) => run.ownCpuMs))),
      'pawl’s own, whole run',
    ],
    ['output, MB', formatNumber((measured.runs.at(-1)?.outputBytes ?? 0) / 1e6), 'of the terminal reporter'],
  ]);
}
