// Statistics as plots: what runs cost, where their time went, how long they worked between two acts of a person; and one
// run by its phases, roles and models.
import { formatUsd } from '../../dollars.ts';
import { formatCost, formatMoment, formatMs, formatSpentTokens } from '../../report/text/figure.ts';
import type { StatsView } from '../view.ts';
import { exported, readStats } from './connection.ts';
import { doings, doingWords, Plot } from './plot.tsx';
import { Legend } from './small.tsx';
import { comparePath, part, route, shown, wholeRun } from './store.ts';
import { useRead } from './use-read.ts';

type Stats = StatsView['runs'][number];
type Tally = Stats['whole'];

/** Over all runs. */
export function StatsPage() {
  const { value: stats, error } = useRead(readStats<StatsView>, [route.value]);
  if (!stats) return <p class="dim">{error === '' ? 'Counting …' : error}</p>;
  const runs = stats.runs.filter(({ whole }) => whole.sessions > 0).reverse();
  if (runs.length === 0) return <p class="empty">No run has had a session yet.</p>;
  const { whole, interventions, roles, models } = stats.together;
  const { mtbiMs } = interventions;
  return (
    <div class="stats">
      <h1>Statistics</h1>
      <p>
        <a href={comparePath([])}>Comparisons: one plan by several agents or models</a>
      </p>
      <dl class="figures">
        <Figure name="Runs" value={String(runs.length)} />
        <Figure name="Cost" value={formatCost(whole.spent)} />
        <Figure name="At work" value={formatMs(interventions.atWorkMs)} />
        <Figure
          name="Between interventions"
          value={mtbiMs === undefined ? 'none yet' : formatMs(mtbiMs)}
          note="mean time at work"
        />
      </dl>
      <Plots runs={runs} />
      <Parts title="By role" parts={roles} />
      <Parts title="By model" parts={models} />
    </div>
  );
}

const going = doings.filter((name) => name !== 'stopped');

/** What each run cost, where its time went, and how long it worked alone. */
function Plots({ runs }: { runs: readonly Stats[] }) {
  return (
    <>
      <Plot
        title="Cost per run"
        runs={runs}
        stack={(run) => [{ name: 'cost', value: run.whole.spent.costUsd ?? 0 }]}
        tell={(run) => formatCost(run.whole.spent)}
        top={formatUsd}
      />
      <Plot
        title="Time per run"
        runs={runs}
        stack={({ whole: { ms } }) => going.map((name) => ({ name, value: ms[name] }))}
        tell={(run) => tellTimes(run.whole)}
        top={formatMs}
        legend={going.map((name) => [name, doingWords[name]])}
      />
      <Plot
        title="Work between interventions"
        runs={runs}
        stack={({ interventions: { mtbiMs, atWorkMs } }) => [
          { name: mtbiMs === undefined ? 'none' : 'mtbi', value: mtbiMs ?? atWorkMs },
        ]}
        tell={({ interventions: { mtbiMs, atWorkMs } }) =>
          mtbiMs === undefined ? `none in ${formatMs(atWorkMs)}` : formatMs(mtbiMs)
        }
        top={formatMs}
        legend={[
          ['mtbi', 'mean time between interventions'],
          ['none', 'a run without any'],
        ]}
      />
    </>
  );
}

/** For the run that is shown. */
export function RunStatistics() {
  const stats = part<StatsView>('stats');
  const [run] = stats?.runs ?? [];
  if (!run) return null;
  const { whole, interventions, phases, roles, models, atOnce } = run;
  const { mtbiMs, atWorkMs, list } = interventions;
  const meantime = mtbiMs === undefined ? undefined : `one in ${formatMs(mtbiMs)} of work`;
  return (
    <div class="stats">
      <dl class="figures">
        <Figure
          name="At work"
          value={formatMs(atWorkMs)}
          note={atOnce ? 'of all lanes together' : undefined}
        />
        <Figure name="Interventions" value={String(list.length)} note={meantime} />
        <Figure name="Corrections" value={String(whole.corrections)} />
        <Figure name="Tokens" value={formatSpentTokens(whole.spent)} />
      </dl>
      {exported || !shown.value ? null : (
        <p>
          <a href={comparePath([shown.value.id])}>Compare this run with another</a>
        </p>
      )}
      <h3>Where the time went</h3>
      <Times tally={whole} />
      <Parts title="By phase" parts={phases} />
      <Parts title="By role" parts={roles} />
      <Parts title="By model" parts={models} />
      {list.length === 0 ? null : <Interventions />}
    </div>
  );
}

function Interventions() {
  return (
    <>
      <h3>Interventions</h3>
      <ul class="plain">
        {(wholeRun.value?.interventions ?? []).map(({ at, text, by }) => (
          <li key={at + text}>
            {text}{' '}
            <span class="dim">
              {[by === undefined ? '' : `by ${by}`, formatMoment(Date.parse(at))].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {note === undefined ? null : <p class="dim">{note}</p>}
    </div>
  );
}

function tellTimes({ ms }: Tally): string {
  return doings
    .filter((name) => ms[name] > 0)
    .map((name) => `${formatMs(ms[name])} ${doingWords[name]}`)
    .join(', ');
}

function Times({ tally }: { tally: Tally }) {
  const whole = doings.reduce((sum, name) => sum + tally.ms[name], 0) || 1;
  const shown = doings.filter((name) => tally.ms[name] / whole > 0.001);
  return (
    <div>
      <div class="stacked">
        {shown.map((name) => (
          <span
            key={name}
            class={`fill-${name}`}
            style={{ width: `${(tally.ms[name] / whole) * 100}%` }}
            title={doingWords[name]}
          />
        ))}
      </div>
      <Legend
        keys={shown.map((name) => [`fill-${name}`, `${doingWords[name]} ${formatMs(tally.ms[name])}`])}
      />
    </div>
  );
}

function Parts({ title, parts }: { title: string; parts: Stats['roles'] }) {
  if (parts.length < 2) return null;
  return (
    <section>
      <h3>{title}</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th />
              <th>cost</th>
              <th>time</th>
              <th>sessions</th>
              <th>attempts</th>
              <th>corrections</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, tally }) => (
              <tr key={name}>
                <th>{name}</th>
                <td>{tally.sessions === 0 ? '–' : formatCost(tally.spent)}</td>
                <td>{formatMs(tally.ms.working + tally.ms.checking + tally.ms.own)}</td>
                <td>{tally.sessions}</td>
                <td>{tally.attempts}</td>
                <td>{tally.corrections}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
