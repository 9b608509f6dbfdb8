// Statistics: what runs cost, where their time went, and how long they worked between two acts of a person.
import { formatCost, formatMoment, formatMs, formatSpentTokens } from '../../report/text/figure.ts';
import type { StatsView } from '../view.ts';
import { readStats } from './connection.ts';
import { Legend } from './small.tsx';
import { part, route, wholeRun } from './store.ts';
import { useRead } from './use-read.ts';

type Stats = StatsView['runs'][number];
type Tally = Stats['whole'];

/** What a run can be doing, in stacking order, in words. */
const doingWords: Readonly<Record<keyof Tally['ms'], string>> = {
  working: 'sessions',
  checking: 'checks',
  own: 'pawl itself',
  waiting: 'waits',
  paused: 'pauses',
  stopped: 'stopped',
};

const doings = Object.keys(doingWords) as readonly (keyof Tally['ms'])[];

export function StatsPage() {
  const { value: stats, error } = useRead(readStats<StatsView>, [route.value]);
  if (!stats) return <p class="dim">{error === '' ? 'Counting …' : error}</p>;
  const runs = stats.runs.filter(({ whole }) => whole.sessions > 0).reverse();
  if (runs.length === 0) return <p class="empty">No run has had a session yet.</p>;
  const { whole, interventions } = stats.together;
  const { mtbiMs } = interventions;
  return (
    <div class="stats">
      <h1>Statistics</h1>
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
      <h3>Where the time went</h3>
      <Times tally={whole} />
      <Runs runs={runs} />
    </div>
  );
}

export function RunStatistics() {
  const stats = part<StatsView>('stats');
  const [run] = stats?.runs ?? [];
  if (!run) return null;
  const { whole, interventions } = run;
  const { mtbiMs, atWorkMs, list } = interventions;
  const meantime = mtbiMs === undefined ? undefined : `one in ${formatMs(mtbiMs)} of work`;
  return (
    <div class="stats">
      <dl class="figures">
        <Figure name="At work" value={formatMs(atWorkMs)} />
        <Figure name="Interventions" value={String(list.length)} note={meantime} />
        <Figure name="Corrections" value={String(whole.corrections)} />
        <Figure name="Tokens" value={formatSpentTokens(whole.spent)} />
      </dl>
      <h3>Where the time went</h3>
      <Times tally={whole} />
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
      <dd>
        {value}
        {note === undefined ? null : <small class="dim">{note}</small>}
      </dd>
    </div>
  );
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

function Runs({ runs }: { runs: readonly Stats[] }) {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>run</th>
            <th>cost</th>
            <th>at work</th>
            <th>interventions</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ run, title, whole, interventions: { atWorkMs, list } }) => (
            <tr key={run}>
              <th title={run}>{title}</th>
              <td>{formatCost(whole.spent)}</td>
              <td>{formatMs(atWorkMs)}</td>
              <td>{list.length}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
