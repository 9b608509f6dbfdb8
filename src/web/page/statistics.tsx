// Statistics as plots: what runs cost, where their time went, how long they worked between two acts of a person; and one run by
// its phases, roles and models.
import { useEffect, useState } from 'preact/hooks';
import {
  formatCost,
  formatMoment,
  formatMs,
  formatSpentTokens,
  formatUsd,
} from '../../report/text/figure.ts';
import type { StatsView } from '../view.ts';
import { exported, readStats } from './connection.ts';
import { doings, doingWords, Plot } from './plot.tsx';
import { comparePath, part, route, shown, wholeRun } from './store.ts';

type Stats = StatsView['runs'][number];
type Tally = Stats['whole'];

/** Over all runs. */
export function StatsPage() {
  const [stats, setStats] = useState<StatsView | undefined>();
  const [error, setError] = useState('');
  useEffect(() => {
    readStats<StatsView>().then(setStats, (cause: Error) => setError(cause.message));
  }, [route.value]);
  if (!stats) return <p class="dim">{error === '' ? 'Counting …' : error}</p>;
  const runs = stats.runs.filter(({ whole }) => whole.sessions > 0).reverse();
  if (runs.length === 0) return <p class="empty">No run has had a session yet.</p>;
  const { whole, interventions } = stats.together;
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
          value={interventions.mtbiMs === undefined ? 'none yet' : formatMs(interventions.mtbiMs)}
          note="mean time at work"
        />
      </dl>
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
        stack={({ whole: { ms } }) =>
          doings.filter((name) => name !== 'stopped').map((name) => ({ name, value: ms[name] }))
        }
        tell={(run) => tellTimes(run.whole)}
        top={formatMs}
        legend={doings.filter((name) => name !== 'stopped').map((name) => [name, doingWords[name]])}
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
      <Parts title="By role" parts={stats.together.roles} />
      <Parts title="By model" parts={stats.together.models} />
    </div>
  );
}

/** Of the run that is shown. */
export function RunStatistics() {
  const stats = part<StatsView>('stats');
  const [run] = stats?.runs ?? [];
  if (!run) return null;
  const { mtbiMs, atWorkMs, list } = run.interventions;
  return (
    <div class="stats">
      <dl class="figures">
        <Figure
          name="At work"
          value={formatMs(atWorkMs)}
          note={run.atOnce ? 'of all lanes together' : undefined}
        />
        <Figure
          name="Interventions"
          value={String(list.length)}
          note={mtbiMs === undefined ? undefined : `one in ${formatMs(mtbiMs)} of work`}
        />
        <Figure name="Corrections" value={String(run.whole.corrections)} />
        <Figure name="Tokens" value={formatSpentTokens(run.whole.spent)} />
      </dl>
      {exported || !shown.value ? null : (
        <p>
          <a href={comparePath([shown.value.id])}>Compare this run with another</a>
        </p>
      )}
      <h3>Where the time went</h3>
      <Times tally={run.whole} />
      <Parts title="By phase" parts={run.phases} />
      <Parts title="By role" parts={run.roles} />
      <Parts title="By model" parts={run.models} />
      {list.length === 0 ? null : (
        <>
          <h3>Interventions</h3>
          <ul class="plain">
            {(wholeRun.value?.interventions ?? []).map(({ at, text, by }) => (
              <li key={at + text}>
                {text}{' '}
                <span class="dim">
                  {[by === undefined ? '' : `by ${by}`, formatMoment(Date.parse(at))]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
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
      <p class="legend dim">
        {shown.map((name) => (
          <span key={name}>
            <span class={`key fill-${name}`} /> {doingWords[name]} {formatMs(tally.ms[name])}{' '}
          </span>
        ))}
      </p>
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
